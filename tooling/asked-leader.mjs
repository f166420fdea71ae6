// A leader on another machine that gives every request the same answer, for the build: it compiles what a command does
// to ask one, and there is no database.
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';

const ANSWER = {
  ok: true,
  result: {
    task: { kind: 'task', id: 'one', title: 'One', status: 'done', rev: 1 },
    ...{ ready: false, done_by: 'client', reasons: [], after: [], before: [] },
  },
};
const PROJECT = 'afar';

/** A message of the protocol of PostgreSQL: its type, its length, its parts. */
function message(type, ...parts) {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), integer(body.length + 4, 4), body]);
}

function integer(value, bytes) {
  const written = Buffer.alloc(bytes);
  written.writeIntBE(value, 0, bytes);
  return written;
}

const TEXT_TYPE = 25;
const ADMITTED = message('R', integer(0, 4));
const READY = message('Z', Buffer.from('I'));
const PREPARED = [message('1'), message('2')];
const COLUMN = [Buffer.from('answer\0'), integer(0, 4), integer(0, 2), integer(TEXT_TYPE, 4), integer(-1, 2)];
const CELL = Buffer.from(JSON.stringify(ANSWER));
/** Any statement returns one row with one column. */
const ROW = [
  message('T', integer(1, 2), ...COLUMN, integer(-1, 4), integer(0, 2)),
  message('D', integer(1, 2), integer(CELL.length, 4), CELL),
  message('C', Buffer.from('SELECT 1\0')),
];

/** Makes `folder` a project of such a leader, with the settings of a person in `settings`. Returns how to close it. */
export async function asksALeader(folder, settings) {
  const server = createServer((socket) => {
    let isAdmitted = false;
    socket.on('error', () => undefined);
    socket.on('data', (request) => {
      const type = String.fromCharCode(request[0]);
      if (!isAdmitted) socket.write(Buffer.concat([ADMITTED, READY]));
      else if (type !== 'X') socket.write(Buffer.concat([...(type === 'P' ? PREPARED : []), ...ROW, READY]));
      isAdmitted = true;
    });
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  mkdirSync(path.join(folder, '.workgraph'), { recursive: true });
  mkdirSync(path.join(settings, 'troupe'), { recursive: true });
  writeFileSync(path.join(folder, '.workgraph/config.toml'), `[database]\nproject = "${PROJECT}"\n`);
  const { dev, ino } = statSync(folder, { bigint: true });
  const address = `postgresql://troupe@127.0.0.1:${server.address().port}/troupe`;
  const chosen = { project: PROJECT, address, device: `${dev}`, inode: `${ino}` };
  writeFileSync(
    path.join(settings, 'troupe/databases.json'),
    JSON.stringify({ version: 1, projects: { [folder]: chosen } }),
  );
  return () => server.close();
}
