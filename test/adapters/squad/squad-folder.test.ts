import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { SquadFolder } from '#adapters/squad/squad-folder.js';
import { systemClock } from '#kernel/clock.js';
import type { FileChange } from '#kernel/file-change.js';
import { activeNames, confirm, propose } from '../../core/casting/stage.js';
import { ALONE } from '../../lone-squad.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

/** Every file of a folder with its text. */
function filesIn(folder: string, below = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(path.join(folder, below), { withFileTypes: true })) {
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) Object.assign(found, filesIn(folder, name), { [`${name}/`]: '' });
    else found[name] = entry.isFile() ? readFileSync(path.join(folder, name), 'utf8') : '(no file)';
  }
  return found;
}

const apply = (squad: SquadFolder, archetypeId: string, intent: 'new' | 'augment' = 'augment') =>
  squad.apply((state) => confirm(propose([archetypeId], { state }), state, { intent, clientFiles: 'wanted' }));

const write = (squad: SquadFolder, ...changes: FileChange[]) => squad.apply(() => ({ changes, result: undefined }));

verifies(['squad.agents', 'squad.casting'], 'what was decided is on the disk and is read back', async () => {
  const folder = room('zion');
  const squad = new SquadFolder(folder, new ProcessTable(), ALONE);
  expect(await squad.readTeam()).toBeUndefined();
  await apply(squad, 'writer');
  const team = await squad.readTeam();
  expect(team).toMatchObject({ project: 'zion', universe: 'The Matrix', leader: 'Coordinator' });
  expect(team?.members.map((member) => member.name)).toEqual(['Neo', 'Scribe', 'Ralph', 'Rai', 'Coordinator']);
  for (const member of team?.members ?? []) expect(existsSync(path.join(folder, member.charterPath))).toBe(true);
  await apply(squad, 'qa-engineer');
  expect(activeNames(await new SquadFolder(folder, new ProcessTable(), ALONE).read())).toEqual(['Neo', 'Trinity']);
  expect(existsSync(path.join(folder, '.squad/.scratch'))).toBe(false);
});

verifies('one.people', 'the state of a team is made once, and again when a file is another one', async () => {
  const folder = room('zion');
  const later = { now: () => Date.now() + 60_000 };
  const squad = new SquadFolder(folder, new ProcessTable(), { ...ALONE, clock: later });
  const none = await squad.read();
  expect(await squad.read()).toBe(none);
  await apply(squad, 'writer');
  const cast = await squad.read();
  expect([activeNames(cast), await squad.read()]).toEqual([['Neo'], cast]);
  expect(await squad.read()).toBe(cast);
  const charter = path.join(folder, '.squad/agents/neo/charter.md');
  writeFileSync(charter, readFileSync(charter, 'utf8').replace(/e/g, 'a'));
  const edited = await squad.read();
  expect(edited.texts.get('.squad/agents/neo/charter.md')).toBe(readFileSync(charter, 'utf8'));
});

verifies('squad.paths', 'files are UTF-8 with LF and without byte order mark', async () => {
  const folder = room('zion');
  await apply(new SquadFolder(folder, new ProcessTable(), ALONE), 'writer');
  for (const [name, text] of Object.entries(filesIn(folder))) {
    expect(text.includes('\r') || text.startsWith('\ufeff'), name).toBe(false);
    if (name.startsWith('.squad/') && !name.endsWith('/')) expect(text.endsWith('\n'), name).toBe(true);
  }
});

verifies('confirm.atomic', 'a refusal changes nothing', async () => {
  const folder = room('zion');
  const squad = new SquadFolder(folder, new ProcessTable(), ALONE);
  await apply(squad, 'writer');
  mkdirSync(path.join(folder, 'empty/.squad'), { recursive: true });
  const before = filesIn(folder);
  const state = await squad.read();
  await expect(squad.apply((now) => confirm(propose(['writer'], { state }), now))).rejects.toThrow(
    expect.objectContaining({ code: 'requires_choice' }),
  );
  expect(filesIn(folder)).toEqual(before);
});

verifies(['squad.paths', 'sec.path.escape'], 'paths that leave the squad are refused before any write', async () => {
  const folder = room('zion');
  const squad = new SquadFolder(folder, new ProcessTable(), ALONE);
  const good = { kind: 'write', path: '.squad/team.md', text: 'x' } as const;
  const paths = [
    '/etc/passwd',
    '.squad/../x',
    '../x',
    '.squad//x',
    '.squad/./x',
    '.squad\\x',
    '',
    '.git/hooks/post-commit',
    'package.json',
    '.squad/.scratch/x',
    '.squad/a\0b',
    '.squad',
  ];
  for (const bad of paths) {
    for (const kind of ['write', 'remove'] as const) {
      const change = kind === 'write' ? { kind, path: bad, text: 'x' } : { kind, path: bad };
      await expect(write(squad, good, change), bad).rejects.toThrow(expect.objectContaining({ code: 'unsafe_path' }));
    }
  }
  expect(Object.keys(filesIn(folder)).filter((name) => !name.startsWith('.workgraph'))).toEqual([]);
});

verifies(
  ['squad.paths', 'sec.tree.links'],
  'a link anywhere in the way is refused, for reading and for writing',
  async () => {
    const outside = room('outside');
    for (const [link, target] of [
      ['.squad', outside],
      ['.squad/agents', outside],
      ['.squad/casting', outside],
      ['.squad/agents/neo', outside],
      ['.squad/team.md', path.join(outside, 'team.md')],
      ['.github', outside],
      ['.gitignore', path.join(outside, 'ignored')],
    ] as const) {
      const folder = room('zion');
      mkdirSync(path.dirname(path.join(folder, link)), { recursive: true });
      symlinkSync(target, path.join(folder, link));
      await expect(apply(new SquadFolder(folder, new ProcessTable(), ALONE), 'writer'), link).rejects.toThrow(
        expect.objectContaining({ code: 'unsafe_path' }),
      );
      expect(readdirSync(outside), link).toEqual([]);
      if (link.startsWith('.squad'))
        await expect(new SquadFolder(folder, new ProcessTable(), ALONE).read(), link).rejects.toThrow(
          expect.objectContaining({ code: 'unsafe_path' }),
        );
      else expect(await new SquadFolder(folder, new ProcessTable(), ALONE).readTeam()).toBeUndefined();
    }
    const folder = room('zion');
    symlinkSync(outside, path.join(folder, '.workgraph'));
    await expect(apply(new SquadFolder(folder, new ProcessTable(), ALONE), 'writer')).rejects.toThrow(
      expect.objectContaining({ code: 'unsafe_path' }),
    );
    expect(readdirSync(outside)).toEqual([]);
  },
);

verifies(
  ['confirm.atomic', 'sec.inert'],
  'a commit record that somebody put into the repository writes nothing outside the squad',
  async () => {
    const folder = room('zion');
    const record = path.join(folder, '.workgraph/service/changes/squad/1/committed.json');
    mkdirSync(path.dirname(record), { recursive: true });
    const change = { kind: 'write', path: '.git/hooks/post-commit', text: 'touch ran' };
    const files = [{ change, before: null, after: 'a'.repeat(64) }];
    writeFileSync(record, JSON.stringify({ name: 'n', from: null, boot: 'other', files, newFolders: [] }));
    await expect(new SquadFolder(folder, new ProcessTable(), ALONE).readTeam()).rejects.toThrow(
      expect.objectContaining({ code: 'unsafe_path' }),
    );
    writeFileSync(record, '{"files":[{"change":{"kind":"exec"}}]}');
    await expect(new SquadFolder(folder, new ProcessTable(), ALONE).readTeam()).rejects.toThrow(
      expect.objectContaining({ code: 'corrupt' }),
    );
    expect(existsSync(path.join(folder, '.git'))).toBe(false);
  },
);

verifies(
  'confirm.atomic',
  'of two confirmations at once of one proposal, one writes and both answer the same',
  async () => {
    const folder = room('zion');
    const proposal = propose(['writer']);
    const results = await Promise.all(
      [1, 2, 3].map(() =>
        new SquadFolder(folder, new ProcessTable(), ALONE).apply((state) => confirm(proposal, state)),
      ),
    );
    expect(results[1]).toEqual(results[0]);
    expect(
      readFileSync(path.join(folder, '.squad/casting/history.events.jsonl'), 'utf8').trim().split('\n'),
    ).toHaveLength(1);
  },
);

verifies('confirm.atomic', 'of two confirmations at once of different proposals, one wins', async () => {
  const folder = room('zion');
  const results = await Promise.allSettled(
    ['writer', 'qa-engineer'].map((id) =>
      new SquadFolder(folder, new ProcessTable(), ALONE).apply((state) =>
        confirm(propose([id]), state, { intent: 'new' }),
      ),
    ),
  );
  expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(results.find((result) => result.status === 'rejected')).toMatchObject({ reason: { code: 'team_changed' } });
  expect(activeNames(await new SquadFolder(folder, new ProcessTable(), ALONE).read())).toEqual(['Neo']);
});

verifies('casting.proposal.single', 'the newest request wins, an older one that ends later is told so', async () => {
  const folder = room('zion');
  const squad = new SquadFolder(folder, new ProcessTable(), ALONE);
  const at = (now: number) => propose(['writer'], { now, proposalId: `made-${now}` });
  await squad.saveProposal(at(1_000), 1_000);
  await squad.saveProposal(at(3_000), 2_000);
  await expect(squad.saveProposal(at(4_000), 2_500)).rejects.toThrow(
    expect.objectContaining({ code: 'proposal_superseded' }),
  );
  expect((await squad.proposal())?.proposal_id).toBe('made-3000');
  expect(await squad.dropProposal('made-1000')).toBe(false);
  expect(await squad.dropProposal('made-3000')).toBe(true);
  expect(await squad.proposal()).toBeUndefined();
});

verifies(
  ['casting.shape.readonly', 'casting.proposal.ttl'],
  'a proposal is kept in the service folder and nowhere else',
  async () => {
    const folder = room('zion');
    const squad = new SquadFolder(folder, new ProcessTable(), ALONE);
    await squad.saveProposal(propose(['writer']), 0);
    expect(Object.keys(filesIn(folder)).sort()).toEqual([
      '.workgraph/',
      '.workgraph/service/',
      '.workgraph/service/.gitignore',
      '.workgraph/service/proposal.json',
    ]);
    expect(statSync(path.join(folder, '.workgraph/service/proposal.json')).mode & 0o077).toBe(0);
    writeFileSync(path.join(folder, '.workgraph/service/proposal.json'), '{"broken"');
    expect(await squad.proposal()).toBeUndefined();
  },
);

test('the lock of a process that is gone is taken over, that of a living one is not', async () => {
  const folder = room('zion');
  const service = path.join(folder, '.workgraph/service');
  mkdirSync(service, { recursive: true });
  const file = path.join(service, 'squad.lock');
  const own = new ProcessTable().lock(file, systemClock);
  await own.acquire();
  const dead = { ...JSON.parse(readFileSync(file, 'utf8')), start: 'another time', nonce: 'dead-1' };
  own.release();
  writeFileSync(file, JSON.stringify(dead));
  await apply(new SquadFolder(folder, new ProcessTable(), ALONE), 'writer');
  expect(activeNames(await new SquadFolder(folder, new ProcessTable(), ALONE).read())).toEqual(['Neo']);
  expect(readdirSync(service)).toEqual(['changes']);
});

test('a reader sees the team before or after a write, never in between', async () => {
  const folder = room('zion');
  await apply(new SquadFolder(folder, new ProcessTable(), ALONE), 'writer');
  const readers: Promise<string[]>[] = [];
  const read = async () => activeNames(await new SquadFolder(folder, new ProcessTable(), ALONE).read());
  let steps = 0;
  const slow = new SquadFolder(folder, new ProcessTable(), {
    ...ALONE,
    step: async () => {
      // Readers wait for one another too: one at each step would wait longer on a busy machine than anybody waits for a lock.
      if (steps++ % 3 === 0) readers.push(read());
      await new Promise((resolve) => setImmediate(resolve));
    },
  });
  await apply(slow, 'qa-engineer');
  expect(readers.length).toBeGreaterThan(4);
  for (const names of await Promise.all(readers)) expect([['Neo'], ['Neo', 'Trinity']]).toContainEqual(names);
});

verifies('test.bites', 'lines are added after an unfinished last line, not to it, and each once', async () => {
  const folder = room('zion');
  const squad = new SquadFolder(folder, new ProcessTable(), ALONE);
  await write(squad, {
    kind: 'write',
    path: '.squad/casting/events.jsonl',
    text: '{"event_id":"1"}\n{"event_id":"2"}',
  });
  const lines = ['{"event_id":"2"}', '{"event_id":"3"}'];
  await write(squad, { kind: 'append', path: '.squad/casting/events.jsonl', lines, idField: 'event_id' });
  expect(readFileSync(path.join(folder, '.squad/casting/events.jsonl'), 'utf8')).toBe(
    '{"event_id":"1"}\n{"event_id":"2"}\n{"event_id":"3"}\n',
  );
});
