//! Partial store order: writes to different locations may be reordered as well, unless a release
//! store, a release fence, a full barrier or a read-modify-write keeps them in order.

use crate::backward::{Between, End, Preserved};
use crate::hardware::{Hardware, HardwareModel};
use crate::{About, Delay};

/// The program order that `pso` preserves.
#[derive(Clone, Debug, Default)]
pub struct AfterLoads;

impl Preserved for AfterLoads {
    #[inline]
    fn holds(earlier: End, later: End, between: Between) -> bool {
        let ppo = !earlier.write;
        let storestore =
            earlier.write && later.write && (between.release_fence || later.mode.is_release());
        let implied = (earlier.write && later.locked)
            || earlier.locked
            || (earlier.write && earlier.mode.is_seq_cst());
        ppo || storestore || implied || between.full
    }
}

impl HardwareModel for AfterLoads {
    const ABOUT: About = About {
        name: "pso",
        summary: "partial store order: stores to different locations may be reordered too",
        delay: Delay::StoreBuffers,
        races: false,
        publishes_in_order: false,
    };
}

/// The model `pso`.
pub type Pso = Hardware<AfterLoads>;
