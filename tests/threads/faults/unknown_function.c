// unsupported
void launch_missiles(void);
int main(void) { launch_missiles(); }
