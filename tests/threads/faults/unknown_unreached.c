// exit
void launch_missiles(void);
int main(int argc, char **argv) { if (argc > 5) launch_missiles(); return 0; }
