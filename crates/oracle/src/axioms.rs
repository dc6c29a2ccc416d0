//! The memory models, axiom by axiom.
//!
//! sc, tso, pso and ra as this project defines them; rc11 as in Lahav, Vafeiadis, Kang, Hur, Dreyer,
//! "Repairing Sequential Consistency in C/C++11", PLDI 2017; c20 is rc11 with the release sequences of
//! C++20. Each axiom is one predicate, written in
//! the symbols of the definition. Nothing is incremental, and what models share is no more than the
//! algebra of relations and the axioms that rc11 and c20 have in common.
//!
//! A join, too, is ordered by every model: the events of the thread that ends come before it and what
//! follows it. The relation `joined` from them to the join is part of the order of sc and of `hb`.
//! Under tso and pso a join is a full fence as well, so that what it orders is in the global order.

use crate::graph::{EventId, Graph};
use crate::relation::{Relation, all};
use crate::skeleton::Skeleton;

/// A memory model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Model {
    /// Sequential consistency.
    Sc,
    /// Total store order.
    Tso,
    /// Partial store order.
    Pso,
    /// Release/acquire.
    Ra,
    /// Repaired C11.
    Rc11,
    /// Repaired C11 with the release sequences of C++20.
    C20,
}

impl Model {
    /// All models.
    pub const ALL: [Model; 6] =
        [Model::Sc, Model::Tso, Model::Pso, Model::Ra, Model::Rc11, Model::C20];

    /// The name in commands and tables.
    pub fn name(self) -> &'static str {
        match self {
            Model::Sc => "sc",
            Model::Tso => "tso",
            Model::Pso => "pso",
            Model::Ra => "ra",
            Model::Rc11 => "rc11",
            Model::C20 => "c20",
        }
    }

    /// The model of that name.
    pub fn from_name(name: &str) -> Option<Model> {
        Model::ALL.into_iter().find(|model| model.name() == name)
    }
}

/// Whether the model allows an execution.
pub fn is_consistent(model: Model, graph: &Graph) -> bool {
    let skeleton = skeleton_of(graph);
    let (rf, co) = skeleton.relations(graph);
    Axioms::new(&skeleton, &rf, &co).hold(model)
}

/// Whether an execution has a data race. Only ra, rc11 and c20 define races.
pub fn is_racy(model: Model, graph: &Graph) -> bool {
    let skeleton = skeleton_of(graph);
    let (rf, co) = skeleton.relations(graph);
    Axioms::new(&skeleton, &rf, &co).race(model)
}

/// Whether neither of two events happens before the other. For sc, tso and pso, which have no happens-before of their
/// own, that of ra is taken: `(po | joined | rf)+`.
pub fn is_unordered(model: Model, graph: &Graph, a: EventId, b: EventId) -> bool {
    let skeleton = skeleton_of(graph);
    let (rf, co) = skeleton.relations(graph);
    let axioms = Axioms::new(&skeleton, &rf, &co);
    let hb = match model {
        Model::Sc | Model::Tso | Model::Pso | Model::Ra => axioms.ra_hb(),
        Model::Rc11 => axioms.c11_hb(&axioms.rc11_rs()),
        Model::C20 => axioms.c11_hb(&axioms.c20_rs()),
    };
    let number = |id: EventId| skeleton.starts[id.thread as usize] + id.index as usize;
    !hb.has(number(a), number(b)) && !hb.has(number(b), number(a))
}

fn skeleton_of(graph: &Graph) -> Skeleton {
    Skeleton::new(graph.threads.iter().map(Vec::as_slice), graph.co.len())
}

/// An execution, and what all models derive from it.
pub(crate) struct Axioms<'a> {
    events: &'a Skeleton,
    rf: &'a Relation,
    co: &'a Relation,
    /// `rb = (rf^-1; co) \ id`
    rb: Relation,
}

impl<'a> Axioms<'a> {
    pub(crate) fn new(events: &'a Skeleton, rf: &'a Relation, co: &'a Relation) -> Axioms<'a> {
        let identity = Relation::identity(events.size, all(events.size));
        let rb = rf.inverse().then(co).minus(&identity);
        Axioms { events, rf, co, rb }
    }

    pub(crate) fn hold(&self, model: Model) -> bool {
        self.atomicity_holds()
            && match model {
                Model::Sc => self.sc_holds(),
                Model::Tso => self.coherence_holds() && self.tso_holds(),
                Model::Pso => self.coherence_holds() && self.pso_holds(),
                Model::Ra => self.ra_holds(),
                Model::Rc11 => self.c11_holds(&self.c11_hb(&self.rc11_rs())),
                Model::C20 => self.c11_holds(&self.c11_hb(&self.c20_rs())),
            }
    }

    pub(crate) fn race(&self, model: Model) -> bool {
        match model {
            Model::Sc | Model::Tso | Model::Pso => false,
            Model::Ra => self.races_under(&self.ra_hb()),
            Model::Rc11 => self.races_under(&self.c11_hb(&self.rc11_rs())),
            Model::C20 => self.races_under(&self.c11_hb(&self.c20_rs())),
        }
    }

    /// `empty (rmw & (rb; co))`
    fn atomicity_holds(&self) -> bool {
        self.events.rmw.and(&self.rb.then(self.co)).is_empty()
    }

    /// `acyclic ((po & loc) | rf | co | rb)`
    fn coherence_holds(&self) -> bool {
        let po_loc = self.events.po.and(&self.events.loc);
        po_loc.or(&self.communication()).is_acyclic()
    }

    /// `rf | co | rb`
    fn communication(&self) -> Relation {
        self.rf.or(self.co).or(&self.rb)
    }

    /// `acyclic (po | joined | rf | co | rb)`
    fn sc_holds(&self) -> bool {
        self.events.po.or(&self.events.joined).or(&self.communication()).is_acyclic()
    }

    /// `rf & ext | co | rb`
    fn external_communication(&self) -> Relation {
        self.rf.and(&self.events.ext).or(self.co).or(&self.rb)
    }

    /// `[M]; po; [F & SC | J]; po; [M] | [M]; joined; (po | joined)*; [M]`
    fn full_fence(&self) -> Relation {
        let (e, accesses) = (self.events, self.events.accesses());
        let fences = e.fences & e.seq_cst | e.joins;
        let after_join = e.po.or(&e.joined).closure().or_identity().to(accesses);
        (e.po.from(accesses).to(fences).then(&e.po.to(accesses)))
            .or(&e.joined.from(accesses).then(&after_join))
    }

    /// `domain(rmw) | range(rmw)`
    fn locked(&self) -> u64 {
        let e = self.events;
        (0..e.size)
            .filter(|&a| (0..e.size).any(|b| e.rmw.has(a, b) || e.rmw.has(b, a)))
            .fold(0, |set, a| set | 1 << a)
    }

    /// `acyclic (ppo | fence | implied | (rf & ext) | co | rb)` with
    /// `ppo = po & ((R * M) | (W * W))` and
    /// `implied = [W]; po; [locked & R] | [locked]; po; [R] | [W & SC]; po; [R]`
    fn tso_holds(&self) -> bool {
        let e = self.events;
        let ppo = e.po.from(e.reads).to(e.accesses()).or(&e.po.from(e.writes).to(e.writes));
        let locked = self.locked();
        let implied = (e.po.from(e.writes).to(locked & e.reads))
            .or(&e.po.from(locked).to(e.reads))
            .or(&e.po.from(e.writes & e.seq_cst).to(e.reads));
        ppo.or(&self.full_fence()).or(&implied).or(&self.external_communication()).is_acyclic()
    }

    /// `acyclic (ppo | fence | storestore | implied | (rf & ext) | co | rb)` with
    /// `ppo = po & (R * M)`,
    /// `storestore = [W]; po; [F & release]; po; [W] | [W]; po; [W & release]` and
    /// `implied = [W]; po; [locked] | [locked]; po; [M] | [W & SC]; po; [M]`
    fn pso_holds(&self) -> bool {
        let e = self.events;
        let ppo = e.po.from(e.reads).to(e.accesses());
        let release_fence = e.po.from(e.writes).to(e.fences & e.release);
        let storestore = (release_fence.then(&e.po.to(e.writes)))
            .or(&e.po.from(e.writes).to(e.writes & e.release));
        let locked = self.locked();
        let implied = (e.po.from(e.writes).to(locked))
            .or(&e.po.from(locked).to(e.accesses()))
            .or(&e.po.from(e.writes & e.seq_cst).to(e.accesses()));
        ppo.or(&self.full_fence())
            .or(&storestore)
            .or(&implied)
            .or(&self.external_communication())
            .is_acyclic()
    }

    /// `eco = (rf | co | rb)+`
    fn eco(&self) -> Relation {
        self.communication().closure()
    }

    /// `hb = (po | joined | rf)+`
    fn ra_hb(&self) -> Relation {
        self.events.po.or(&self.events.joined).or(self.rf).closure()
    }

    /// `irreflexive hb`, `irreflexive (hb; eco)`, `irreflexive (rmw; eco)`
    fn ra_holds(&self) -> bool {
        let (hb, eco) = (self.ra_hb(), self.eco());
        hb.is_irreflexive()
            && hb.then(&eco).is_irreflexive()
            && self.events.rmw.then(&eco).is_irreflexive()
    }

    /// rc11: `rs = [W]; (po & loc)?; [W & A]; (rf; rmw)*`
    fn rc11_rs(&self) -> Relation {
        let e = self.events;
        let po_loc = e.po.and(&e.loc);
        let chain = self.rf.then(&e.rmw).closure().or_identity();
        po_loc.or_identity().from(e.writes).to(e.writes & e.atomic).then(&chain)
    }

    /// c20: `rs = [W & A]; (rf; rmw)*`
    fn c20_rs(&self) -> Relation {
        let e = self.events;
        self.rf.then(&e.rmw).closure().or_identity().from(e.writes & e.atomic)
    }

    /// `sw = [release]; ([F]; po)?; rs; rf; [R & A]; (po; [F])?; [acquire]`
    /// `hb = (po | joined | sw)+`
    fn c11_hb(&self, rs: &Relation) -> Relation {
        let e = self.events;
        let to_write = e.po.from(e.fences).or_identity().from(e.release);
        let from_read = e.po.to(e.fences).or_identity().to(e.acquire);
        let sw = to_write.then(rs).then(self.rf).to(e.reads & e.atomic).then(&from_read);
        e.po.or(&e.joined).or(&sw).closure()
    }

    /// `irreflexive (hb; eco?)`, `irreflexive (rmw; eco)`, `acyclic (po | joined | rf)` and
    /// `acyclic (psc-base | psc-fence)`
    fn c11_holds(&self, hb: &Relation) -> bool {
        let (e, eco) = (self.events, self.eco());
        hb.then(&eco.or_identity()).is_irreflexive()
            && e.rmw.then(&eco).is_irreflexive()
            && e.po.or(&e.joined).or(self.rf).is_acyclic()
            && self.psc_base(hb).or(&self.psc_fence(hb, &eco)).is_acyclic()
    }

    /// `po-other = po \ loc`
    /// `scb = po | (po-other; hb; po-other) | (hb & loc) | co | rb`
    /// `psc-base = ([SC] | ([F & SC]; hb?)); scb; ([SC] | (hb?; [F & SC]))`
    fn psc_base(&self, hb: &Relation) -> Relation {
        let e = self.events;
        let po_other = e.po.minus(&e.loc);
        let scb = (e.po.or(&po_other.then(hb).then(&po_other)))
            .or(&hb.and(&e.loc))
            .or(self.co)
            .or(&self.rb);
        let seq_cst = Relation::identity(e.size, e.seq_cst);
        let fences = e.fences & e.seq_cst;
        let before = seq_cst.or(&hb.or_identity().from(fences));
        let after = seq_cst.or(&hb.or_identity().to(fences));
        before.then(&scb).then(&after)
    }

    /// `psc-fence = [F & SC]; (hb | (hb; eco; hb)); [F & SC]`
    fn psc_fence(&self, hb: &Relation, eco: &Relation) -> Relation {
        let fences = self.events.fences & self.events.seq_cst;
        hb.or(&hb.then(eco).then(hb)).from(fences).to(fences)
    }

    /// `conflict = ((W * _) | (_ * W)) & loc \ ((IW * _) | (_ * IW))`
    /// `race = (conflict & ext) \ (hb | hb^-1 | A * A)`
    fn races_under(&self, hb: &Relation) -> bool {
        let e = self.events;
        let accesses = e.accesses() & !e.initial;
        let writes = e.writes & !e.initial;
        let conflict = Relation::product(e.size, writes, accesses)
            .or(&Relation::product(e.size, accesses, writes))
            .and(&e.loc);
        let allowed = hb.or(&hb.inverse()).or(&Relation::product(e.size, e.atomic, e.atomic));
        !conflict.and(&e.ext).minus(&allowed).is_empty()
    }
}

#[cfg(test)]
mod tests;
