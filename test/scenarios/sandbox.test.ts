import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { git } from '../repository.js';
import { room } from '../room.js';
import { hasBubblewrap } from '../sandbox.js';
import { verifies } from '../verifies.js';
import { inRun, say } from './client-world.js';
import { asked, endEverything, project, startService, textOf, until, untilStatus } from './program.js';
import { addPlay, repositoryProject, serveClients, shownTask } from './repository-world.js';

/** Tries what a run must not do, and what it needs; says of each `NAME open` or `NAME shut`. */
const TRIES = `
try() { name=$1; shift; if "$@" > /dev/null 2>&1; then echo "$name open"; else echo "$name shut"; fi; }
append() { try "$1" bash -c 'echo x >> "$0"' "$2"; }
top=$WG_PROJECT_ROOT
append graph "$top/.workgraph/graph.jsonl"
append log "$top/.workgraph/operations.jsonl"
append settings "$top/.workgraph/config.toml"
append squad "$top/.squad/team.md"
append roles "$top/.claude/roles/crew.md"
append checkout "$top/f.txt"
append home "$HOME/.profile"
append client-hooks "$HOME/.claude/settings.json"
append hooks "$top/.git/hooks/post-checkout"
append git-config "$top/.git/config"
append own-record "$WG_RUN/run.jsonl"
append other-run "$top/.workgraph/agents/registry.json"
append run-folder "$WG_RUN/notes"
append temporary "$(mktemp -p /tmp)"
try token cat "$top/.workgraph/service/http-token"
try trust ls "$HOME/.config/troupe/trust.json" "$XDG_CONFIG_HOME/troupe/trust.json"
try outside ls "/proc/$PPID/root/" "/proc/1/root/"
try main git -C "$top" update-ref refs/heads/main HEAD~0 HEAD
try new-branch git branch of-a-run
echo more >> f.txt; try stash git stash
echo more > made.txt; git add made.txt; try commit git -c user.name=a -c user.email=a@example.org commit -qm made
python3 - <<'P'
import json, os, socket
def ask(**request):
    line = socket.socket(socket.AF_UNIX)
    line.connect(os.path.join(os.environ['WG_PROJECT_ROOT'], '.workgraph/service/daemon.sock'))
    line.sendall((json.dumps({**request, 'caller': {'kind': 'person', 'name': 'boss'}}) + '\\n').encode())
    answer = json.loads(line.makefile().readline())
    return answer['result'] if answer['ok'] else answer['error']['code']
print('dashboard', ask(cmd='dashboard'))
print('shutdown', ask(cmd='shutdown'))
print('spawn', ask(cmd='spawn', task_id='a'))
print('add', ask(cmd='operation', name='task.add', input={'title': 'Of boss'})['task']['created_by'])
P
`;

const SHUT = [
  ...['graph', 'log', 'settings', 'squad', 'roles', 'home', 'client-hooks', 'hooks', 'git-config', 'own-record'],
  ...['other-run', 'token', 'trust', 'outside'],
];
/** At its door a run is that run, whatever it says. */
const AT_THE_DOOR = { dashboard: 'not_yours', shutdown: 'not_yours', spawn: 'not_yours', add: 'agent-1' };

async function hostileProject(...settings: string[]): Promise<string> {
  const cwd = await repositoryProject(...settings);
  for (const folder of ['.squad', '.claude/roles']) mkdirSync(path.join(cwd, folder), { recursive: true });
  writeFileSync(path.join(cwd, 'tries.sh'), TRIES);
  return cwd;
}

function found(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split('\n').flatMap((line) => (/^[\w-]+ [\w-]+$/.test(line) ? [line.split(' ')] : [])),
  );
}

describe.skipIf(!hasBubblewrap)('a run in a sandbox (needs bubblewrap: apt-get install bubblewrap)', () => {
  verifies('door.sandbox', 'an agent in a worktree finds every other door shut, and can do its work', async () => {
    const cwd = await hostileProject();
    await addPlay(cwd, 'a', 'tries');
    const before = git(cwd, 'rev-parse', 'main');
    await serveClients(cwd);
    await untilStatus(cwd, 'a', 'done');
    const tried = found(textOf(inRun(cwd, 'agent-1', 'tried')));
    const shut = Object.fromEntries([...SHUT, 'checkout', 'main', 'new-branch', 'stash'].map((name) => [name, 'shut']));
    const open = { 'run-folder': 'open', temporary: 'open', commit: 'open' };
    expect(tried).toEqual({ ...shut, ...open, ...AT_THE_DOOR });
    expect(git(cwd, 'rev-parse', 'main')).toBe(before);
    expect(git(cwd, 'show', 'wg/integration:made.txt')).toBe('more\n');
  });

  verifies(
    'door.sandbox',
    'a command in the project changes its files, and none of those that steer Troupe',
    async () => {
      const cwd = await hostileProject('worktree_isolation = "off"');
      await asked(['add', 'A', '--id', 'a', '--exec', 'bash tries.sh'], { cwd });
      await startService(cwd);
      await untilStatus(cwd, 'a', 'done');
      const tried = found(textOf(inRun(cwd, 'agent-1', 'output.log')));
      expect(tried).toMatchObject({
        ...Object.fromEntries(SHUT.map((name) => [name, 'shut'])),
        ...AT_THE_DOOR,
        checkout: 'open',
        commit: 'open',
      });
    },
  );

  verifies('door.sandbox', 'its end is gentle, its code is its own, and nothing of it stays', async () => {
    const cwd = await project();
    const gentle = `trap 'echo bye > "$WG_RUN/bye"; exit 7' TERM; (setsid sleep 1000 &); echo > "$WG_RUN/up"; while :; do sleep 0.05; done`;
    await asked(['add', 'A', '--id', 'a', '--exec', gentle], { cwd });
    await asked(['add', 'B', '--id', 'b', '--exec', 'exit 7'], { cwd });
    await startService(cwd);
    await until('it to begin', () => existsSync(inRun(cwd, 'agent-1', 'up')));
    await asked(['pause', 'a'], { cwd });
    await asked(['kill', 'agent-1'], { cwd });
    await until('its last word', () => existsSync(inRun(cwd, 'agent-1', 'bye')));
    await until('its end', () => textOf(inRun(cwd, 'agent-1', 'run.jsonl')).includes('"code":7'));
    await untilStatus(cwd, 'b', 'failed');
    expect((await shownTask(cwd, 'b'))['failure_reason']).toBe('Command exited with code 7');
    await endEverything(cwd);
  });

  verifies('door.sandbox', 'it is heard by the next service, and between two services', async () => {
    // Both are longer than the name of a socket can be; of the person's own folders a run is told their home.
    const env = { HOME: path.join(room('home'), 'deep'.repeat(20)) };
    mkdirSync(env.HOME);
    const cwd = path.join(room(), `project-${'deep'.repeat(20)}`);
    mkdirSync(cwd);
    await asked(['init'], { cwd, env });
    onTestFinished(() => endEverything(cwd));
    const talks = ['one', 'two']
      .map((word) => `until [ -e "$WG_RUN/${word}" ]; do sleep 0.05; done; "$TROUPE_BIN" log a ${word}`)
      .join('; ');
    await asked(['add', 'A', '--id', 'a', '--exec', talks], { cwd, env });
    const logged = async () => JSON.stringify((await shownTask(cwd, 'a'))['log'] ?? []);
    await asked(['service', 'start'], { cwd, env });
    await until('it to begin', () => existsSync(inRun(cwd, 'agent-1', 'output.log')));
    await asked(['service', 'stop'], { cwd });
    say(cwd, 'agent-1', 'one');
    await until('what it said without a service', async () => (await logged()).includes('one'));
    await asked(['service', 'start'], { cwd, env });
    say(cwd, 'agent-1', 'two');
    await untilStatus(cwd, 'a', 'done');
    expect(await logged()).toMatch(/one.*two/);
    expect((await shownTask(cwd, 'a'))['log']).toMatchObject([{ actor: 'agent-1' }, { actor: 'agent-1' }, {}]);
  });

  verifies('door.sandbox', 'off is off, and what a project says of it waits for a person', async () => {
    const cwd = await hostileProject('worktree_isolation = "off"');
    await asked(['add', 'A', '--id', 'a', '--exec', 'echo x >> .squad/team.md'], { cwd });
    await asked(['config', 'set', 'clients.sandbox', 'off'], { cwd });
    await startService(cwd);
    await untilStatus(cwd, 'a', 'done');
    expect(textOf(path.join(cwd, '.squad/team.md'))).toBe('x\n');
  });
});
