//! The algorithms there are: the one place where their names become explorers.

use crate::{Aids, Awaits, Bound, Conflicts, Explorer, Options, Rf, Rvf, Trust};
use norn_action::Machine;
use norn_models::{
    Arrange, Interleaving, InterleavingVisitor, ModelName, ModelVisitor, Named, RfVisitor,
};

/// A way to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Every execution graph once: [`Trust`].
    Trust,
    /// Every reads-from relation once: [`Rf`].
    Rf,
    /// Every combination of values that are read, at least once: [`Rvf`], with these aids.
    Rvf(Aids),
    /// Every Mazurkiewicz trace once, where this conflicts: [`Awaits`].
    Await(Conflicts),
    /// Every execution graph once that few preemptions are enough for: [`Trust::bounded`].
    Bounded(Bound),
}

/// Something to do with an explorer, whichever it is. `explorer` makes one for each worker.
pub trait ExplorerVisitor<M: Machine> {
    /// What comes of it.
    type Output;

    /// Does it.
    fn visit<E: Explorer<M>>(self, explorer: impl Fn() -> E) -> Self::Output;
}

impl Algorithm {
    /// Whether it can search under a model.
    pub fn supports(self, model: ModelName) -> bool {
        match self {
            Algorithm::Trust => true,
            Algorithm::Rf => model.has_rf(),
            Algorithm::Rvf(_) => model.has_rvf(),
            Algorithm::Await(_) => model.has_await(),
            Algorithm::Bounded(_) => model.has_bound(),
        }
    }

    /// Does something with the explorer that searches `machine` under `model`; none if it does not support
    /// the model.
    pub fn with<M: Machine, V: ExplorerVisitor<M>>(
        self,
        model: ModelName,
        machine: &M,
        options: &Options,
        visitor: V,
    ) -> Option<V::Output> {
        match self {
            Algorithm::Trust => self.with_trust(model, machine, options, visitor),
            Algorithm::Rf => model.with_rf(With { machine, options, visitor, settings: () }),
            Algorithm::Rvf(settings) => {
                model.with_rvf(With { machine, options, visitor, settings })
            }
            Algorithm::Await(settings) => {
                model.with_await(With { machine, options, visitor, settings })
            }
            Algorithm::Bounded(settings) => {
                model.with_bound(With { machine, options, visitor, settings })
            }
        }
    }
}

impl Algorithm {
    /// Likewise for visitors that are for [`Trust`] alone; none if it is another one.
    pub fn with_trust<M: Machine, V: ExplorerVisitor<M>>(
        self,
        model: ModelName,
        machine: &M,
        options: &Options,
        visitor: V,
    ) -> Option<V::Output> {
        let with = With { machine, options, visitor, settings: () };
        (self == Algorithm::Trust).then(|| model.with(with))
    }
}

/// Hands the explorer for a model to a visitor. Which explorer that is depends on what is asked of the model and on
/// the type of the settings.
struct With<'a, M, V, S> {
    machine: &'a M,
    options: &'a Options,
    visitor: V,
    settings: S,
}

impl<M: Machine, V: ExplorerVisitor<M>> ModelVisitor for With<'_, M, V, ()> {
    type Output = V::Output;

    fn visit<Mo: Named>(self) -> V::Output {
        self.visitor.visit(|| Trust::<M, Mo>::new(self.machine, self.options.clone()))
    }
}

impl<M: Machine, V: ExplorerVisitor<M>> RfVisitor for With<'_, M, V, ()> {
    type Output = V::Output;

    fn visit<Mo: Arrange>(self) -> V::Output {
        self.visitor.visit(|| Rf::<M, Mo>::new(self.machine, self.options.clone()))
    }
}

impl<M: Machine, V: ExplorerVisitor<M>> InterleavingVisitor for With<'_, M, V, Aids> {
    type Output = V::Output;

    fn visit<Mo: Interleaving>(self) -> V::Output {
        let With { machine, options, visitor, settings } = self;
        visitor.visit(|| Rvf::<M, Mo>::with(machine, options.clone(), settings))
    }
}

impl<M: Machine, V: ExplorerVisitor<M>> InterleavingVisitor for With<'_, M, V, Conflicts> {
    type Output = V::Output;

    fn visit<Mo: Interleaving>(self) -> V::Output {
        let With { machine, options, visitor, settings } = self;
        visitor.visit(|| Awaits::<M, Mo>::new(machine, options.clone(), settings))
    }
}

impl<M: Machine, V: ExplorerVisitor<M>> InterleavingVisitor for With<'_, M, V, Bound> {
    type Output = V::Output;

    fn visit<Mo: Interleaving>(self) -> V::Output {
        let With { machine, options, visitor, settings } = self;
        visitor.visit(|| Trust::<M, Mo, _>::bounded(machine, options.clone(), settings))
    }
}
