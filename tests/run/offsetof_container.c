#include <stdio.h>
#include <stddef.h>
struct list { struct list *next, *prev; }; struct item { int id; struct list link; char c; };
#define entry(p) ((struct item *)((char *)(p) - offsetof(struct item, link)))
static struct list head = {&head, &head}; static void add(struct list *n) { n->prev = head.prev; n->next = &head; head.prev->next = n; head.prev = n; }
int main(void) { struct item a[3] = {{1, {0, 0}, 'a'}, {2, {0, 0}, 'b'}, {3, {0, 0}, 'c'}}; for (int i = 0; i < 3; i++) add(&a[i].link); a[1].link.prev->next = a[1].link.next; a[1].link.next->prev = a[1].link.prev; for (struct list *p = head.next; p != &head; p = p->next) printf("%d%c ", entry(p)->id, entry(p)->c); printf("%lu\n", offsetof(struct item, c)); return 0; }
