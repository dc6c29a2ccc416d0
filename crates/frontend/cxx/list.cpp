// What std::list leaves to the library: nodes in a ring. The machine links and unlinks single ones itself.
#include <list>

namespace std {
namespace __detail {

void _List_node_base::_M_transfer(_List_node_base* const first, _List_node_base* const last) noexcept {
    if (this == last) return;
    _List_node_base* final = last->_M_prev;
    first->_M_prev->_M_next = last;
    last->_M_prev = first->_M_prev;
    _M_prev->_M_next = first;
    first->_M_prev = _M_prev;
    final->_M_next = this;
    _M_prev = final;
}

void _List_node_base::_M_reverse() noexcept {
    _List_node_base* node = this;
    do {
        _List_node_base* next = node->_M_next;
        node->_M_next = node->_M_prev;
        node->_M_prev = next;
        node = next;
    } while (node != this);
}

void _List_node_base::swap(_List_node_base& one, _List_node_base& other) noexcept {
    // All members of one go to a third ring, and so on.
    auto all = [](_List_node_base& from, _List_node_base& to) {
        if (from._M_next != &from) to._M_transfer(from._M_next, &from);
    };
    _List_node_base mark;
    mark._M_next = mark._M_prev = &mark;
    all(one, mark);
    all(other, one);
    all(mark, other);
}

} // namespace __detail
} // namespace std
