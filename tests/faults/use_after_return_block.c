// norn: violation use_after_return line=9
// A pointer to a variable of a block that has ended.
int main(void) {
    int *pointer;
    {
        int local = 5;
        pointer = &local;
    }
    return *pointer - 5;
}
