// What the page knows of an execution. Nothing here touches the document, so that it can be tested alone.
//
// A node is an event, or the two events of a read-modify-write. Its row is its place in an order that keeps
// program order, reads-from, happens-before and the order of the report's steps.

"use strict";

const RELATIONS = ["po", "rf", "co", "fr", "hb"];

/** A value in which `{"$": i}` stands for an entry of a table; entries use only earlier ones. */
function restore(value, table) {
  const made = [];
  const walk = (part) => {
    if (Array.isArray(part)) return part.map(walk);
    if (part === null || typeof part !== "object") return part;
    if ("$" in part) return made[part.$];
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, walk(inner)]));
  };
  for (const entry of table) made.push(walk(entry));
  return walk(value);
}

/** The nodes of a violation's execution, their order, and the relations between them. */
function buildExecution(violation) {
  const { threads, locations, objects } = violation.execution;
  const steps = new Map();
  for (const step of violation.trace) if (step.event) steps.set(step.event, step);
  const nodes = [];
  const nodeOf = new Map();
  for (const thread of threads) {
    for (const event of thread.events) {
      const last = nodes[nodes.length - 1];
      if (completes(last, event)) {
        last.write = event;
        nodeOf.set(event.id, last);
      } else {
        const node = { key: nodes.length, thread: thread.thread, event, write: event.kind === "write" ? event : null };
        node.read = event.kind === "read" ? event : null;
        nodes.push(node);
        nodeOf.set(event.id, node);
      }
    }
    // What is wrong and no event comes last in its thread.
    for (const step of violation.trace) {
      if (step.event || step.thread !== thread.thread) continue;
      const event = { id: null, kind: "end", at: step.file ? step : null };
      nodes.push({ key: nodes.length, thread: thread.thread, event, write: null, read: null, end: step });
    }
  }
  for (const node of nodes) {
    const step = node.end || steps.get(node.event.id) || (node.write && steps.get(node.write.id));
    node.step = step || null;
    node.at = node.event.at || null;
    node.callers = node.event.callers || [];
    node.text = step ? withoutNumbers(step.text) : describe(node, locations, objects, threads);
    node.location = node.read ? node.read.location : node.write ? node.write.location : null;
  }
  const execution = { violation, threads, locations, objects, nodes, nodeOf };
  execution.edges = relations(execution);
  execution.before = closure(execution);
  execution.order = witnessOrder(execution);
  execution.order.forEach((node, row) => (node.row = row));
  execution.failing = failingNodes(execution);
  return execution;
}

/** A step of the report without the number of the step that it reads from: the page has numbers of its own. */
function withoutNumbers(text) {
  return text.replace(/,? ?from \d+\)/, ")").replace(" ()", "");
}

/** Whether `event` is the second half of the read-modify-write that `node` began. */
function completes(node, event) {
  return (
    node && node.read && node.read.exclusive && !node.write && event.kind === "write" && event.exclusive &&
    node.thread === threadOf(event.id) && node.read.location === event.location
  );
}

function threadOf(id) {
  return Number(id.slice(1).split(".")[0]);
}

/** What a node does, for those that the report has no sentence for. */
function describe(node, locations, objects, threads) {
  const event = node.event;
  const name = (index) => locations[index].name;
  const mode = (access) => (access.mode && access.mode !== "plain" ? ` (${access.mode})` : "");
  const threadName = (number) => (threads[number] ? threads[number].name : `thread ${number}`);
  switch (event.kind) {
    case "read":
      if (node.write) return `${name(event.location)}: ${event.value.text} → ${node.write.value.text}${mode(event)}`;
      return `load ${name(event.location)} = ${event.value.text}${mode(event)}`;
    case "write":
      return `store ${name(event.location)} = ${event.value.text}${mode(event)}`;
    case "fence":
      return `fence (${event.mode})`;
    case "spawn":
      return `start ${threadName(event.target)}`;
    case "join":
      return `join ${threadName(event.target)}`;
    case "publish":
      return `share ${event.objects.map((index) => objects[index].name).join(", ")}`;
    case "free":
      return `${event.scope_end ? "end of" : "free"} ${event.object}`;
    case "choose":
      return `choose ${event.value}`;
    case "barrier_arrive":
      return `arrive at ${event.object}`;
    case "barrier_leave":
      return `leave ${event.object}`;
    default:
      return event.kind;
  }
}

/** The relations as lists of pairs of nodes. The initial write is no node; reads from it have no edge. */
function relations({ nodes, nodeOf, threads, locations }) {
  const edges = { po: [], rf: [], co: [], fr: [], hb: [] };
  const add = (kind, from, to) => {
    if (from && to && from !== to) edges[kind].push({ kind, from, to });
  };
  for (let i = 1; i < nodes.length; i++) {
    if (nodes[i].thread === nodes[i - 1].thread) add("po", nodes[i - 1], nodes[i]);
  }
  for (const { co } of locations) {
    for (let i = 1; i < co.length; i++) add("co", nodeOf.get(co[i - 1]), nodeOf.get(co[i]));
  }
  for (const node of nodes) {
    if (node.read) {
      const source = node.read.from.event;
      if (source) add("rf", nodeOf.get(source), node);
      const { co } = locations[node.read.location];
      add("fr", node, nodeOf.get(co[source ? co.indexOf(source) + 1 : 0]));
    }
    for (const event of [node.event, node.write]) {
      for (const earlier of (event && event.hb) || []) add("hb", nodeOf.get(earlier), node);
    }
  }
  for (const thread of threads) {
    const first = thread.events.length && nodeOf.get(thread.events[0].id);
    if (thread.started_by && first) add("hb", nodeOf.get(thread.started_by), first);
  }
  return edges;
}

/** before[a][b] is 1 if node a happens before node b. */
function closure({ nodes, edges }) {
  const next = nodes.map(() => []);
  for (const { from, to } of [...edges.po, ...edges.hb]) next[from.key].push(to.key);
  return nodes.map((node) => reach(next, node.key));
}

function reach(next, start) {
  const seen = new Uint8Array(next.length);
  const queue = [...next[start]];
  while (queue.length) {
    const key = queue.pop();
    if (seen[key]) continue;
    seen[key] = 1;
    queue.push(...next[key]);
  }
  return seen;
}

/** An order of all nodes that the steps of the report are part of, if that is possible. */
function witnessOrder({ nodes, edges, violation, nodeOf }) {
  const ends = new Map(nodes.map((node) => [node.end, node]));
  const told = violation.trace.map((step) => (step.event ? nodeOf.get(step.event) : ends.get(step))).filter(Boolean);
  const chain = told.slice(1).map((to, i) => ({ from: told[i], to })).filter(({ from, to }) => from !== to);
  const must = [...edges.po, ...edges.rf, ...edges.hb];
  return topological(nodes, [...must, ...chain], edges.co) || topological(nodes, must, edges.co) || nodes.slice();
}

/** A topological order; among those that may come next, one that breaks no `soft` edge, of the same thread. */
function topological(nodes, hard, soft) {
  const waits = new Map(nodes.map((node) => [node, 0]));
  const softWaits = new Map(waits);
  const next = new Map(nodes.map((node) => [node, []]));
  const softNext = new Map(nodes.map((node) => [node, []]));
  for (const { from, to } of hard) {
    waits.set(to, waits.get(to) + 1);
    next.get(from).push(to);
  }
  for (const { from, to } of soft) {
    softWaits.set(to, softWaits.get(to) + 1);
    softNext.get(from).push(to);
  }
  const ready = nodes.filter((node) => waits.get(node) === 0);
  const order = [];
  let last = null;
  while (ready.length) {
    const cost = (node) => softWaits.get(node) * 4 + (last && node.thread !== last.thread ? 1 : 0);
    let best = 0;
    for (let i = 1; i < ready.length; i++) {
      const by = cost(ready[i]) - cost(ready[best]);
      if (by < 0 || (by === 0 && ready[i].key < ready[best].key)) best = i;
    }
    [last] = ready.splice(best, 1);
    order.push(last);
    for (const to of softNext.get(last)) softWaits.set(to, softWaits.get(to) - 1);
    for (const to of next.get(last)) {
      waits.set(to, waits.get(to) - 1);
      if (waits.get(to) === 0) ready.push(to);
    }
  }
  return order.length === nodes.length ? order : null;
}

/** The nodes that the violation is about, the failing one first. */
function failingNodes({ violation, nodeOf, nodes }) {
  const found = [];
  for (const { event } of violation.involved) {
    const node = event && nodeOf.get(event);
    if (node && !found.includes(node)) found.push(node);
  }
  found.push(...nodes.filter((node) => node.end));
  if (found.length) return found;
  const step = violation.trace.find((step) => step.failing && step.event);
  // Where there is none, it is about the execution as a whole.
  return step ? [nodeOf.get(step.event)] : [];
}

/** Reads that come after a newer write than the one they read from: what no interleaving in this order does. */
function lateReads({ order, locations, nodeOf }) {
  const late = new Map();
  const newest = locations.map(() => -1);
  for (const node of order) {
    if (node.read) {
      const { co } = locations[node.read.location];
      const source = node.read.from.event ? co.indexOf(node.read.from.event) : -1;
      if (source < newest[node.read.location]) late.set(node, nodeOf.get(co[newest[node.read.location]]));
    }
    if (node.write) {
      const place = locations[node.write.location].co.indexOf(node.write.id);
      newest[node.write.location] = Math.max(newest[node.write.location], place);
    }
  }
  return late;
}

/** The other values that a read could have read, each once, oldest first. Null where that is not known. */
function alternatives({ locations, nodeOf }, node) {
  if (!node.read || !node.read.instead) return null;
  const texts = node.read.instead.map((source) => {
    const value = source.event ? nodeOf.get(source.event).write.value : locations[node.read.location].initial;
    return value.text;
  });
  return [...new Set(texts)].filter((text) => text !== node.read.value.text);
}

/**
 * After the first `count` nodes: the newest value of each location, and for each thread one that it cannot see behind.
 * `views` says which: the newest that it has read or written ("own"), or also what happens before its last step
 * ("ordered"); none if all threads see the newest ("one").
 */
function memoryAfter(execution, count, views) {
  const { order, locations, threads, nodeOf, before } = execution;
  const done = order.slice(0, count);
  const lastOf = threads.map(({ thread }) => done.filter((node) => node.thread === thread).pop());
  return locations.map((location, index) => {
    const text = (place) => {
      const value = place < 0 ? location.initial : nodeOf.get(location.co[place]).write.value;
      return value ? value.text : "nothing";
    };
    const placeOf = (id) => (id ? location.co.indexOf(id) : -1);
    const written = done.filter((node) => node.write && node.write.location === index);
    const newest = Math.max(-1, ...written.map((node) => placeOf(node.write.id)));
    const seen = threads.map(({ thread }, at) => {
      const last = lastOf[at];
      if (!last || views === "one") return null;
      const knows = (node) =>
        views === "own" ? node.thread === thread : node === last || before[node.key][last.key];
      const known = done.filter((node) => node.location === index && knows(node));
      if (views === "own" && !known.length) return null;
      const places = known.map((node) => Math.max(node.write ? placeOf(node.write.id) : -1,
        node.read ? placeOf(node.read.from.event) : -1));
      return Math.max(-1, ...places);
    });
    return {
      name: location.name,
      newest: text(newest),
      seen: seen.map((place) => (place === null ? null : { text: text(place), old: place < newest })),
    };
  });
}

/** A shortest cycle of po, rf, co and fr: why no interleaving explains the execution. Null if there is none. */
function findCycle({ nodes, edges }) {
  const next = nodes.map(() => []);
  for (const kind of ["po", "rf", "co", "fr"]) for (const edge of edges[kind]) next[edge.from.key].push(edge);
  let best = null;
  for (const start of nodes) {
    const cameBy = new Map();
    let queue = [start];
    let length = 0;
    search: while (queue.length && (!best || length + 1 < best.length)) {
      const following = [];
      length += 1;
      for (const node of queue) {
        for (const edge of next[node.key]) {
          if (edge.to === start) {
            best = [edge];
            for (let at = node; at !== start; at = best[0].from) best.unshift(cameBy.get(at));
            break search;
          }
          if (cameBy.has(edge.to)) continue;
          cameBy.set(edge.to, edge);
          following.push(edge.to);
        }
      }
      queue = following;
    }
  }
  return best;
}

const WHY = { po: "comes before", rf: "is read by", co: "is overwritten by", fr: "reads before it is overwritten by" };

/** A cycle in words, one line for each edge. */
function cycleInWords(cycle, nameOf) {
  return cycle.map(({ kind, from, to }) => `${nameOf(from)} ${WHY[kind]} ${nameOf(to)}`);
}

if (typeof module !== "undefined") {
  module.exports = {
    RELATIONS, buildExecution, lateReads, restore, alternatives, memoryAfter, findCycle, cycleInWords, topological,
  };
}
