// Measures fifty members who write to one another through eight processes, an inbox among a hundred thousand messages,
// and large rosters.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fromSource } from '../tooling/from-source.mjs';
import { inProject, quantile } from './measure.mjs';
import { loadRosters, meshTeam, STORES, storesIn, treeOf } from './organisation.mjs';

const PROCESSES = 8;
const MEMBERS = 50;
/** Messages of each process: enough that it mostly runs compiled code, and fewer than the inboxes of the members take. */
const EACH = 1_000;
const KEPT = 100_000;
const ORGANISATION = { projects: 200, workgroups: 2_000, agents: 20_000 };

export default async () => {
  const modules = await fromSource({
    ...STORES,
    send: 'src/core/mail/send.ts',
    standings: 'src/core/mail/standings.ts',
    directory: 'src/core/mail/directory.ts',
  });
  const bundle = modules.folder;
  const rosters = await loadRosters(bundle);
  const open = (folder) => storesIn(Object.assign({}, ...Object.keys(STORES).map((name) => modules[name])), folder);
  const { send } = modules.send;
  return [await chat(bundle, { open, send, rosters }), await inbox({ open, send, rosters }), ...derivation(rosters)];
};

/** Opens a conversation between each member and the next; each process continues its share of them. */
async function chat(bundle, { open, send, rosters }) {
  const { rate, count } = await inProject(async (project) => {
    const folder = path.join(project, '.workgraph');
    mkdirSync(folder, { recursive: true });
    const { mail, database } = open(folder);
    const directory = rosters.directoryOf(undefined, [meshTeam(MEMBERS)]);
    const ids = [...directory.keys()].sort();
    for (const [index, from] of ids.entries()) {
      const to = ids[(index + 1) % ids.length];
      const speaker = { id: from, by: from, task: `task-of-${index}`, fence: undefined };
      const uuid = `${String(index).padStart(8, '0')}-0000-4000-8000-000000000000`;
      const call = { speaker, directory, at: Date.now(), messageId: `o-${index}`, to, text: 'begin', uuid, most: 3 };
      await mail.change((view) => send(view, { ...call, conversation: undefined }));
    }
    await database.close();
    const starting = Array.from({ length: PROCESSES }, (_, number) => {
      const share = [number, number + 1].map((part) => Math.round((part * MEMBERS) / PROCESSES));
      return chatter([folder, bundle, ...share, EACH].map(String));
    });
    // All begin together: the start of a process takes as long as hundreds of messages.
    const writing = await Promise.all(starting);
    const chatters = await Promise.all(writing.map((write) => write()));
    const begun = Math.min(...chatters.map((one) => one.begun));
    const ended = Math.max(...chatters.map((one) => one.ended));
    const count = chatters.reduce((sum, one) => sum + one.count, 0);
    return { rate: (count / (ended - begun)) * 1_000, count };
  });
  const name = `${MEMBERS} members write through ${PROCESSES} processes, ${count} messages`;
  return { name, figure: `${rate.toFixed(0)} a second`, bar: '500', met: rate >= 500 };
}

/** Starts a process. Resolves once it is ready, with the function that lets it write and returns its figures. */
async function chatter(words) {
  const program = path.resolve(import.meta.dirname, 'chatter.mjs');
  const child = spawn(process.execPath, [program, ...words], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  if ((await lines.next()).done) throw new Error(`chatter: ${await ended}`);
  return async () => {
    child.stdin.write('write\n');
    const { value, done } = await lines.next();
    if (done) throw new Error(`chatter: ${await ended}`);
    return JSON.parse(value);
  };
}

/** Measures reading the inbox of one member among 100,000 stored messages of others. */
async function inbox({ open, send, rosters }) {
  const median = await inProject(async (project) => {
    const folder = path.join(project, '.workgraph');
    mkdirSync(folder, { recursive: true });
    const { mail, database } = open(folder);
    const directory = rosters.directoryOf(undefined, [meshTeam(MEMBERS)]);
    const ids = [...directory.keys()].sort();
    const speaker = { id: 'human/ann', by: 'ann', task: undefined, fence: undefined };
    const call = { speaker, directory, at: 1, text: 'x', uuid: '00000000-0000-4000-8000-000000000000', most: 3 };
    const { conversation } = await mail.change((view) =>
      send(view, { ...call, messageId: 'o', to: ids[1], conversation: undefined }),
    );
    const insert = (sql, ...values) => ({ text: sql.split('?'), answers: false, values });
    await database.write(function* () {
      for (let number = 2; number <= KEPT; number++) {
        yield insert(
          "INSERT INTO messages (id, conversation_id, seq, sender, sender_name, speaks_for, priority, body, created_at, type) VALUES (?, ?, ?, 'human/ann', 'ann', 'human/ann', 'normal', 'x', 1, 'message')",
          ...[`k-${number}`, conversation, number],
        );
        const read = number <= KEPT - 150 ? 1 : null;
        yield insert(
          "INSERT INTO recipients (message_id, member, role, task_id, read_at) VALUES (?, ?, 'to', 'a', ?)",
          `k-${number}`,
          ids[number % 2],
          read,
        );
      }
    });
    const times = [];
    for (let look = 0; look < 100; look++) {
      const begun = performance.now();
      await mail.inbox(ids[1], { limit: 200 });
      times.push(performance.now() - begun);
    }
    await database.close();
    return quantile(times, 0.5);
  });
  return {
    name: `an inbox among ${KEPT.toLocaleString('en')} messages`,
    figure: `${median.toFixed(2)} ms`,
    bar: '5 ms',
    met: median <= 5,
  };
}

function derivation(rosters) {
  const tree = treeOf(ORGANISATION);
  const begun = performance.now();
  const directory = rosters.directoryOf(rosters.standingsOf(tree), []);
  const took = performance.now() - begun;
  const lead = directory.get('project-100/group-5/lead');
  const checks = 20_000;
  const first = performance.now();
  for (let index = 0; index < checks; index++)
    rosters.entryNamed(
      rosters.rosterOf(directory, lead, 'project-100/lead'),
      index % 2 === 0 ? 'agent-100-5-3' : 'nobody',
    );
  const each = ((performance.now() - first) / checks) * 1_000;
  const { projects, workgroups, agents } = ORGANISATION;
  return [
    {
      name: `rosters of ${projects} projects, ${workgroups} workgroups, ${agents} agents (${directory.size} parties)`,
      figure: `${took.toFixed(0)} ms`,
      bar: '1000 ms',
      met: took <= 1_000,
    },
    { name: 'whether one may write to another', figure: `${each.toFixed(1)} µs`, bar: '20 µs', met: each <= 20 },
  ];
}
