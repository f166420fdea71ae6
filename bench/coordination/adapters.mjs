// The programs that are compared. Each adapter says how it is set, and how it does what is measured; a part that it
// leaves out is not what that program is for, and is reported so.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fromSource } from '../../tooling/from-source.mjs';
import { CLI, troupe, writeTasks } from '../measure.mjs';
import { finished, killed, started } from './work.mjs';

const output = (command, args, options = {}) => spawnSync(command, args, { encoding: 'utf8', ...options }).stdout ?? '';
const firstLine = (text) => text.split('\n', 1)[0];
const paddedId = (number) => `task-${String(number).padStart(6, '0')}`;

/** Troupe, with the graph where `settle` puts it. */
const troupeIn = (name, settings, settle) => ({
  name,
  settings,
  version: () =>
    `Troupe ${troupe(tmpdir(), '--version')
      .trim()
      .replace(/^troupe /, '')}`,
  async prepare(folder, tasks) {
    troupe(folder, 'init');
    const lines = tasks.map(({ id, after, line, paused }) =>
      JSON.stringify({
        ...{ kind: 'task', id, title: id, status: 'open', created_at: '2026-03-21T10:00:00.000Z' },
        ...(line === undefined ? {} : { exec: line }),
        ...(after === undefined ? {} : { after: [after] }),
        ...(paused ? { paused } : {}),
      }),
    );
    writeFileSync(path.join(folder, '.workgraph/graph.jsonl'), `${lines.join('\n')}\n`);
    troupe(folder, 'log', tasks[0].id, 'adopted');
    settle(folder);
    troupe(folder, 'trust');
  },
  async begin(folder, atOnce) {
    const flags = ['--executor', 'shell', '--max-agents', String(atOnce), '--json'];
    const { pid } = JSON.parse(troupe(folder, 'service', 'start', ...flags));
    return {
      pid,
      kill: () => killed(pid),
      stop: () => finished(process.execPath, [CLI, 'service', 'stop'], { cwd: folder }),
    };
  },
  add: (folder, id, line) => finished(process.execPath, [CLI, 'add', id, '--id', id, '--exec', line], { cwd: folder }),
  note: {
    write: (folder, id, text) => finished(process.execPath, [CLI, 'log', id, text], { cwd: folder }),
    read: (folder, id) => troupe(folder, 'log', id, '--json'),
  },
  mail: {
    send: (folder, id, text, from) =>
      finished(process.execPath, [CLI, 'msg', 'send', id, text, '--from', from], { cwd: folder }),
    read: (folder, id) => troupe(folder, 'msg', 'list', id, '--json'),
  },
  large: {
    prepare(folder, count) {
      troupe(folder, 'init');
      writeTasks(folder, count);
      troupe(folder, 'log', paddedId(0), 'adopted');
      settle(folder);
    },
    one: (count) => [process.execPath, [CLI, 'show', paddedId(count >> 1)]],
    next: () => [process.execPath, [CLI, 'ready']],
  },
});

/** GNU make, which ends with its last task: a file for each task that has ended, as its manual advises for work that may be continued. */
const make = {
  name: 'GNU make',
  settings: 'make -j, a target file for each task, SHELL = /bin/bash',
  version: () => firstLine(output('make', ['--version'])),
  async prepare(folder, tasks) {
    const rules = tasks.map(
      ({ id, after, line }) =>
        `${id}:${after === undefined ? '' : ` ${after}`}\n\t@${line.replaceAll('$', '$$$$')}\n\t@touch $@\n`,
    );
    const all = tasks.map(({ id }) => id).join(' ');
    writeFileSync(path.join(folder, 'Makefile'), `SHELL = /bin/bash\n.PHONY: all\nall: ${all}\n${rules.join('')}`);
  },
  begin: async (folder, atOnce) => started('make', [`-j${atOnce}`, 'all'], { cwd: folder }),
  large: {
    prepare(folder, count) {
      const after = (number) => (number > 1 ? ` ${paddedId(number - 1)} ${paddedId(number - 2)}` : '');
      const rules = Array.from({ length: count }, (_, number) => `${paddedId(number)}:${after(number)}\n\t@true\n`);
      writeFileSync(path.join(folder, 'Makefile'), rules.join(''));
    },
    // What would be done for the second task alone: reading the file is all there is to it.
    one: () => ['make', ['-n', paddedId(0)]],
  },
};

/** xargs: a list of lines, and no memory of what has ended. */
const xargs = {
  name: 'xargs',
  settings: 'xargs -P, one line per process of bash; it knows neither order nor what has ended',
  version: () => firstLine(output('xargs', ['--version'])),
  hasNoOrder: true,
  async prepare(folder, tasks) {
    writeFileSync(path.join(folder, 'lines'), tasks.map(({ line }) => `${line}\0`).join(''));
  },
  begin: async (folder, atOnce) =>
    started('xargs', ['-0', '-P', String(atOnce), '-n', '1', '-a', 'lines', 'bash', '-c'], { cwd: folder }),
};

/** The original workgraph, as its README advises: a service with the shell as executor. */
function workgraph(program) {
  const wg = (folder, ...args) => finished(program, args, { cwd: folder });
  return {
    name: 'workgraph',
    settings: 'wg service start --executor shell, poll_interval at its default of 60 s',
    version: () => firstLine(output(program, ['--version'])),
    async prepare(folder, tasks) {
      await wg(folder, 'init');
      for (const { id, after, line, paused } of tasks) {
        await wg(
          folder,
          'add',
          id,
          '--id',
          id,
          ...(after === undefined ? [] : ['--after', after]),
          ...(paused ? ['--paused'] : []),
        );
        if (line !== undefined) await wg(folder, 'exec', id, '--set', line);
      }
    },
    async begin(folder, atOnce) {
      await wg(folder, 'service', 'start', '--executor', 'shell', '--max-agents', String(atOnce));
      const { pid } = JSON.parse(readFileSync(path.join(folder, '.workgraph/service/state.json'), 'utf8'));
      return { pid, kill: () => killed(pid), stop: () => wg(folder, 'service', 'stop') };
    },
    async add(folder, id, line) {
      await wg(folder, 'add', id, '--id', id, '--paused');
      await wg(folder, 'exec', id, '--set', line);
      await wg(folder, 'resume', id);
    },
    note: {
      write: (folder, id, text) => wg(folder, 'log', id, text),
      read: (folder, id) => output(program, ['show', id, '--json'], { cwd: folder }),
    },
    mail: {
      send: (folder, id, text, from) => wg(folder, 'msg', 'send', id, text, '--from', from),
      read: (folder, id) => output(program, ['msg', 'list', id, '--json'], { cwd: folder }),
    },
    large: {
      async prepare(folder, count) {
        await wg(folder, 'init');
        writeTasks(folder, count);
      },
      one: (count) => [program, ['show', paddedId(count >> 1)]],
      next: () => [program, ['ready']],
    },
  };
}

/** beads, a tracker: it starts nothing. Embedded storage, one writer, as its README recommends for most. */
function beads(program) {
  const bd = (folder, ...args) => finished(program, args, { cwd: folder });
  return {
    name: 'beads',
    settings: 'bd init --stealth, embedded storage',
    version: () => firstLine(output(program, ['version'])),
    async prepare(folder, tasks) {
      await bd(folder, 'init', '--quiet', '--stealth', '--prefix', 'task');
      const rows = tasks.map(({ id }) =>
        JSON.stringify({ id: `task-${id}`, title: id, status: 'open', priority: 2, issue_type: 'task' }),
      );
      writeFileSync(path.join(folder, 'rows.jsonl'), `${rows.join('\n')}\n`);
      await bd(folder, 'import', 'rows.jsonl');
    },
    note: {
      write: (folder, id, text) => bd(folder, 'comments', 'add', `task-${id}`, text),
      read: (folder, id) => output(program, ['comments', `task-${id}`, '--json'], { cwd: folder }),
    },
    large: {
      async prepare(folder, count) {
        await bd(folder, 'init', '--quiet', '--stealth', '--prefix', 'task');
        const rows = Array.from({ length: count }, (_, number) => ({
          ...{ id: paddedId(number), title: `Task ${number}`, status: 'open', priority: 2, issue_type: 'task' },
          description: 'x'.repeat(380),
          dependencies: [number - 1, number - 2]
            .filter((other) => number > 1 && other >= 0)
            .map((other) => ({ issue_id: paddedId(number), depends_on_id: paddedId(other), type: 'blocks' })),
        }));
        writeFileSync(path.join(folder, 'rows.jsonl'), `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`);
        await bd(folder, 'import', 'rows.jsonl');
      },
      one: (count) => [program, ['show', paddedId(count >> 1)]],
      next: () => [program, ['ready']],
    },
  };
}

/** The adapter of a program built from its own sources, or the reason why it is not measured. */
function built(name, variable, adapter) {
  const program = process.env[variable];
  if (program === undefined)
    return { name, absent: `not measured here: build it from its own sources and set ${variable} to the program` };
  return existsSync(program) ? adapter(path.resolve(program)) : { name, absent: `${variable}: there is no ${program}` };
}

/** All adapters, those that cannot be measured here with the reason; `close` ends what they share. */
export async function adapters() {
  const { server } = await fromSource({ server: 'src/adapters/postgres/own-server.ts' });
  const running = await server.startOwnServer(tmpdir(), []).catch(() => undefined);
  let projects = 0;
  const intoDatabase = (folder) => {
    troupe(folder, 'database', 'move', '--to', running.address, '--project', `bench_${++projects}`);
  };
  const database = running
    ? troupeIn('Troupe, database', `PostgreSQL ${running.version} on this machine, each commit flushed`, intoDatabase)
    : { name: 'Troupe, database', absent: 'not measured here: PostgreSQL is not installed' };
  return {
    all: [
      troupeIn('Troupe, files', 'as installed, each change flushed to disk', () => undefined),
      database,
      make,
      xargs,
      built('workgraph', 'TROUPE_BENCH_WORKGRAPH', workgraph),
      built('beads', 'TROUPE_BENCH_BEADS', beads),
    ],
    close: async () => running?.stop(),
  };
}
