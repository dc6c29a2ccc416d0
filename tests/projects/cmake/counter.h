// A counter that threads share.
void counter_add(void);
int counter_value(void);
