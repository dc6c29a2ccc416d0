// What model.js works out of an execution: run by `make test-page`, without a browser.

import { createRequire } from "node:module";
import assert from "node:assert/strict";
import test from "node:test";

const require = createRequire(import.meta.url);
const model = require("../../crates/report/src/page/model.js");

const value = (number) => ({ text: String(number), bits: `0x${number}` });
const write = (id, location, number, more = {}) => ({ id, kind: "write", location, mode: "relaxed", value: value(number), ...more });
const read = (id, location, number, from, more = {}) => ({
  id, kind: "read", location, mode: "relaxed", value: value(number), from: from ? { event: from } : "initial", ...more,
});
const location = (name, co) => ({ name, initial: value(0), co });
const thread = (number, events) => ({ thread: number, name: `thread ${number}`, events });

function execution(threads, locations, trace = []) {
  return model.buildExecution({ kind: "assertion", thread: 0, involved: [], trace, execution: { threads, locations, objects: [] } });
}

/** Each thread writes its own variable and reads 0 from the other's. */
function storeBuffering() {
  return execution(
    [
      thread(0, [write("T0.0", 0, 1), read("T0.1", 1, 0, null)]),
      thread(1, [write("T1.0", 1, 1), read("T1.1", 0, 0, null)]),
    ],
    [location("x", ["T0.0"]), location("y", ["T1.0"])],
  );
}

test("store buffering is a cycle of four edges, and one read comes late in any order", () => {
  const found = storeBuffering();
  const cycle = model.findCycle(found);
  assert.deepEqual(cycle.map((edge) => edge.kind).sort(), ["fr", "fr", "po", "po"]);
  cycle.forEach((edge, i) => assert.equal(edge.to, cycle[(i + 1) % cycle.length].from));
  assert.equal(model.lateReads(found).size, 1);
  assert.match(model.cycleInWords(cycle, (node) => node.text)[0], /comes before|reads before/);
});

test("an interleaving has no cycle and no late read", () => {
  const found = execution(
    [thread(0, [write("T0.0", 0, 1)]), thread(1, [read("T1.0", 0, 1, "T0.0")])],
    [location("x", ["T0.0"])],
  );
  assert.equal(model.findCycle(found), null);
  assert.equal(model.lateReads(found).size, 0);
  assert.deepEqual(found.order.map((node) => node.event.id), ["T0.0", "T1.0"]);
});

test("the two halves of a read-modify-write are one node", () => {
  const found = execution(
    [thread(0, [read("T0.0", 0, 0, null, { exclusive: true }), write("T0.1", 0, 1, { exclusive: true })])],
    [location("x", ["T0.1"])],
  );
  assert.equal(found.nodes.length, 1);
  assert.equal(found.nodes[0].text, "x: 0 → 1 (relaxed)");
  assert.equal(found.edges.fr.length, 0);
});

test("what a read could have read instead are other values, each once", () => {
  const instead = [{ event: "T0.0" }, { event: "T0.1" }, "initial"];
  const found = execution(
    [
      thread(0, [write("T0.0", 0, 1), write("T0.1", 0, 1), write("T0.2", 0, 2)]),
      thread(1, [read("T1.0", 0, 2, "T0.2", { instead }), read("T1.1", 0, 2, "T0.2", { instead: [] }), read("T1.2", 0, 2, "T0.2")]),
    ],
    [location("x", ["T0.0", "T0.1", "T0.2"])],
  );
  const others = (id) => model.alternatives(found, found.nodeOf.get(id));
  assert.deepEqual([others("T1.0"), others("T1.1"), others("T1.2"), others("T0.0")], [["1", "0"], [], null, null]);
});

test("memory is the newest value and the oldest that each thread may still see", () => {
  const found = storeBuffering();
  const rows = model.memoryAfter(found, found.order.length, "ordered");
  assert.deepEqual(rows.map(({ name, newest }) => [name, newest]), [["x", "1"], ["y", "1"]]);
  const sees = (row, at) => [rows[row].seen[at].text, rows[row].seen[at].old];
  assert.deepEqual([sees(0, 0), sees(0, 1), sees(1, 0), sees(1, 1)], [["1", false], ["0", true], ["0", true], ["1", false]]);
});

test("what a thread has not read itself is not known to it where stores may be overtaken", () => {
  const found = execution(
    [
      thread(0, [write("T0.0", 0, 1), write("T0.1", 1, 1)]),
      thread(1, [{ ...read("T1.0", 1, 1, "T0.1"), hb: ["T0.1"] }]),
    ],
    [location("x", ["T0.0"]), location("y", ["T0.1"])],
  );
  const seen = (views) => model.memoryAfter(found, 3, views).map((row) => row.seen.map((one) => one && one.text));
  assert.deepEqual(seen("ordered"), [["1", "1"], ["1", "1"]]);
  assert.deepEqual(seen("own"), [["1", null], ["1", "1"]]);
  assert.deepEqual(seen("one"), [[null, null], [null, null]]);
});

test("what executions have in common is put back", () => {
  const table = [{ file: "a.c", line: 3 }, [{ $: 0 }, "two"], "a text"];
  const value = [{ at: { $: 0 }, all: { $: 1 }, none: null }, { $: 2 }, 7];
  assert.deepEqual(model.restore(value, table),
    [{ at: { file: "a.c", line: 3 }, all: [{ file: "a.c", line: 3 }, "two"], none: null }, "a text", 7]);
});

test("the order keeps the steps of the report where that is possible", () => {
  const threads = [thread(0, [write("T0.0", 0, 1)]), thread(1, [write("T1.0", 1, 1)])];
  const locations = [location("x", ["T0.0"]), location("y", ["T1.0"])];
  const trace = [{ event: "T1.0", text: "second (from 3)" }, { event: "T0.0", text: "first" }];
  const found = execution(threads, locations, trace);
  assert.deepEqual(found.order.map((node) => node.text), ["second", "first"]);
  const backwards = [{ from: found.nodes[0], to: found.nodes[1] }, { from: found.nodes[1], to: found.nodes[0] }];
  assert.equal(model.topological(found.nodes, backwards, []), null);
});
