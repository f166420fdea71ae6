// A process whose members write to one another; started by conversations.mjs. Prints a line when it is ready, waits for
// a line, and prints its start, its end and the number of stored messages.
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { organisation, STORES, storesIn } from './organisation.mjs';

const [folder, bundle, first, end, each] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(path.join(bundle, `${name}.mjs`)).href);
const [{ send }, ...stores] = await Promise.all(['send', ...Object.keys(STORES)].map(load));
const { mail, database } = storesIn(Object.assign({}, ...stores), folder);
const directory = await organisation(bundle, { projects: 0, workgroups: 0, agents: 0, members: 50 });
const members = [...directory.keys()].sort();
const conversations = (await mail.open()).slice(Number(first), Number(end));
process.stdout.write('ready\n');
await once(process.stdin, 'data');
process.stdin.destroy();
const begun = performance.timeOrigin + performance.now();
let count = 0;
for (let index = 0; index < Number(each); index++) {
  const { id, initiator, recipient, openedBy, taskId } = conversations[index % conversations.length];
  const back = Math.floor(index / conversations.length) % 2 === 1;
  const [from, task] = back ? [recipient, taskId] : [initiator, openedBy];
  const speaker = { id: from, by: from, task: task ?? undefined, fence: undefined };
  const messageId = `m-${first}-${index}`;
  const call = {
    speaker,
    directory,
    at: Date.now(),
    messageId,
    to: back ? initiator : recipient,
    text: `message ${index}`,
  };
  await mail.change((view) => send(view, { ...call, conversation: id, uuid: 'u', most: 3 }));
  count++;
}
const ended = performance.timeOrigin + performance.now();
await database.close();
process.stdout.write(JSON.stringify({ begun, ended, count, members: members.length }));
