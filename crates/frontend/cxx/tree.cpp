// What std::map and std::set leave to the library: red-black trees, as in any textbook.
//
// The header of a tree is a red node whose parent is the root, whose left is the first node and whose right is the last.
#include <map>

namespace std {

using Node = _Rb_tree_node_base;

namespace {

Node* next(Node* x) {
    if (x->_M_right) return Node::_S_minimum(x->_M_right);
    Node* parent = x->_M_parent;
    while (x == parent->_M_right) {
        x = parent;
        parent = parent->_M_parent;
    }
    // The root may be the header's right: then `x` is the header itself.
    return x->_M_right != parent ? parent : x;
}

Node* previous(Node* x) {
    bool is_header = x->_M_color == _S_red && x->_M_parent->_M_parent == x;
    if (is_header) return x->_M_right;
    if (x->_M_left) return Node::_S_maximum(x->_M_left);
    Node* parent = x->_M_parent;
    while (x == parent->_M_left) {
        x = parent;
        parent = parent->_M_parent;
    }
    return parent;
}

bool is_red(Node* x) { return x && x->_M_color == _S_red; }

// Puts `with`, which may be none, where `x` is.
void replace(Node* x, Node* with, Node& header) {
    Node* parent = x->_M_parent;
    if (header._M_parent == x) header._M_parent = with;
    else if (parent->_M_left == x) parent->_M_left = with;
    else parent->_M_right = with;
    if (with) with->_M_parent = parent;
}

// Makes the child on one side the parent.
void rotate(Node* x, bool to_left, Node& header) {
    Node* up = to_left ? x->_M_right : x->_M_left;
    Node* moved = to_left ? up->_M_left : up->_M_right;
    replace(x, up, header);
    (to_left ? up->_M_left : up->_M_right) = x;
    (to_left ? x->_M_right : x->_M_left) = moved;
    x->_M_parent = up;
    if (moved) moved->_M_parent = x;
}

// `x` lacks a black node above it; it may be none, so its parent is told.
void mend(Node* x, Node* parent, Node& header) {
    while (x != header._M_parent && !is_red(x)) {
        bool left = x == parent->_M_left;
        Node* other = left ? parent->_M_right : parent->_M_left;
        if (is_red(other)) {
            other->_M_color = _S_black;
            parent->_M_color = _S_red;
            rotate(parent, left, header);
            other = left ? parent->_M_right : parent->_M_left;
        }
        Node* near = left ? other->_M_left : other->_M_right;
        Node* far = left ? other->_M_right : other->_M_left;
        if (!is_red(near) && !is_red(far)) {
            other->_M_color = _S_red;
            x = parent;
            parent = parent->_M_parent;
            continue;
        }
        if (!is_red(far)) {
            near->_M_color = _S_black;
            other->_M_color = _S_red;
            rotate(other, !left, header);
            far = other;
            other = near;
        }
        other->_M_color = parent->_M_color;
        parent->_M_color = _S_black;
        far->_M_color = _S_black;
        rotate(parent, left, header);
        return;
    }
    if (x) x->_M_color = _S_black;
}

} // namespace

Node* _Rb_tree_increment(Node* x) throw() { return next(x); }
const Node* _Rb_tree_increment(const Node* x) throw() { return next(const_cast<Node*>(x)); }
Node* _Rb_tree_decrement(Node* x) throw() { return previous(x); }
const Node* _Rb_tree_decrement(const Node* x) throw() { return previous(const_cast<Node*>(x)); }

void _Rb_tree_insert_and_rebalance(const bool left, Node* x, Node* parent, Node& header) throw() {
    x->_M_parent = parent;
    x->_M_left = x->_M_right = nullptr;
    x->_M_color = _S_red;
    if (parent == &header) {
        header._M_parent = header._M_left = header._M_right = x;
    } else if (left) {
        parent->_M_left = x;
        if (parent == header._M_left) header._M_left = x;
    } else {
        parent->_M_right = x;
        if (parent == header._M_right) header._M_right = x;
    }
    while (x != header._M_parent && is_red(x->_M_parent)) {
        parent = x->_M_parent;
        Node* above = parent->_M_parent;
        bool on_left = parent == above->_M_left;
        Node* uncle = on_left ? above->_M_right : above->_M_left;
        if (is_red(uncle)) {
            parent->_M_color = uncle->_M_color = _S_black;
            above->_M_color = _S_red;
            x = above;
            continue;
        }
        if (x == (on_left ? parent->_M_right : parent->_M_left)) {
            rotate(parent, on_left, header);
            parent = x;
        }
        parent->_M_color = _S_black;
        above->_M_color = _S_red;
        rotate(above, !on_left, header);
        break;
    }
    header._M_parent->_M_color = _S_black;
}

Node* _Rb_tree_rebalance_for_erase(Node* const z, Node& header) throw() {
    if (z == header._M_left) {
        header._M_left = z->_M_right ? Node::_S_minimum(z->_M_right) : z->_M_parent;
    }
    if (z == header._M_right) {
        header._M_right = z->_M_left ? Node::_S_maximum(z->_M_left) : z->_M_parent;
    }
    bool lacks_black = z->_M_color == _S_black;
    Node *child, *parent;
    if (!z->_M_left || !z->_M_right) {
        child = z->_M_left ? z->_M_left : z->_M_right;
        parent = z->_M_parent;
        replace(z, child, header);
    } else {
        Node* y = Node::_S_minimum(z->_M_right);
        lacks_black = y->_M_color == _S_black;
        child = y->_M_right;
        parent = y;
        if (y != z->_M_right) {
            parent = y->_M_parent;
            replace(y, child, header);
            y->_M_right = z->_M_right;
            y->_M_right->_M_parent = y;
        }
        replace(z, y, header);
        y->_M_left = z->_M_left;
        y->_M_left->_M_parent = y;
        y->_M_color = z->_M_color;
    }
    if (lacks_black) mend(child, parent, header);
    return z;
}

} // namespace std
