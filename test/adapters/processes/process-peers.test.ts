import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, onTestFinished } from 'vitest';
import { ProcessPeers } from '#adapters/processes/process-peers.js';
import { showName } from '#adapters/processes/shown-name.js';
import { runScript } from '#adapters/runs/run-script.js';
import { verifies } from '../../verifies.js';

/** A process that a bash with a lower limit left to nobody, without environment, in a session of its own. */
async function orphan(): Promise<number> {
  const script = "ulimit -x 4242; ( setsid env -i /bin/sh -c 'echo $$; exec sleep 60' & )";
  const shell = spawn('bash', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(shell.stdout), 'line');
  const pid = Number(line);
  onTestFinished(() => {
    process.kill(pid, 'SIGKILL');
  });
  return pid;
}

verifies('door.socket', 'the limit that marks runs passes to whatever they start', async () => {
  const peers = new ProcessPeers();
  const pid = await orphan();
  expect(peers.limitOf(pid)).toBe(4242);
  expect(peers.below(4243)).toContain(pid);
  expect(peers.below(4242)).not.toContain(pid);
  const own = peers.limitOf(process.pid) ?? 0;
  expect(own).toBeGreaterThan(4243);
  expect(peers.below(own)).not.toContain(process.pid);
  expect(runScript('node', 'run')).toContain('ulimit -x "$limit"');
  expect(new ProcessPeers('').limitOf(pid)).toBeUndefined();
});

verifies('door.socket', 'a name is shown by one at a time, and is given back', async () => {
  const peers = new ProcessPeers();
  const over = await showName('first-of-two');
  const second = showName('second-of-two');
  expect(peers.shows(process.pid, 'first-of-two')).toBe(true);
  for (const pid of [process.ppid, 0, -1, 1.5]) expect(peers.shows(pid, 'first-of-two'), String(pid)).toBe(false);
  over();
  over();
  const overToo = await second;
  expect(peers.shows(process.pid, 'second-of-two')).toBe(true);
  over();
  expect(peers.shows(process.pid, 'second-of-two'), 'who is over already takes nothing from the next').toBe(true);
  overToo();
  expect(peers.shows(process.pid, 'second-of-two')).toBe(false);
});

verifies('door.socket', 'the other end of a connection is held by those who have it open', async () => {
  const peers = new ProcessPeers();
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const to = (server.address() as { port: number }).port;
  const connection = createConnection(to, '127.0.0.1');
  const [accepted] = await once(server, 'connection');
  onTestFinished(() => {
    connection.destroy();
    accepted.destroy();
    server.close();
  });
  const from = Number(accepted.remotePort);
  expect(peers.holdersOf({ from, to }, peers.all())).toEqual([process.pid]);
  expect(peers.holdersOf({ from, to }, [process.ppid])).toEqual([]);
  expect(peers.holdersOf({ from: to, to: from + 1 }, peers.all())).toBeUndefined();
  connection.destroy();
  await once(accepted.resume(), 'close');
  expect(peers.holdersOf({ from, to }, peers.all()), 'closed').toBeUndefined();
});

verifies('door.socket', 'the words a process was started with are seen', () => {
  expect(new ProcessPeers().wordsOf(process.pid)[0]).toContain('node');
  expect(new ProcessPeers('').wordsOf(process.pid)).toEqual([]);
});
