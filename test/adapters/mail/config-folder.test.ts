import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { readTextFile } from '#adapters/files/text-file.js';
import { ConfigFolder } from '#adapters/mail/config-folder.js';
import { deriveOfficeRoster, deriveProjectRoster, deriveWorkgroupRoster } from '#core/mail/derive.js';
import { standingsOf } from '#core/mail/standings.js';
import { systemClock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const OFFICE = '.teaparty/management/teaparty.yaml';
const PROJECT = '.teaparty/project/project.yaml';

/** A folder with these files, by their paths. */
function place(files: Readonly<Record<string, string>>, clock = systemClock) {
  const top = room('roster');
  const write = (name: string, text: string) => {
    mkdirSync(path.join(top, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(top, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  let reads = 0;
  const readText: typeof readTextFile = (...of) => {
    reads++;
    return readTextFile(...of);
  };
  const config = new ConfigFolder({ clock, homeFolder: path.join(top, 'person'), readText });
  const at = (name: string) => path.join(top, name);
  return {
    top,
    at,
    write,
    config,
    reads: () => reads,
    tree: () => config.tree({ from: top }),
    project: (name = '') => config.project(at(name), { from: top }),
  };
}

const workgroup = (name: string, lead: string, ...agents: string[]) =>
  `name: ${name}\nlead: ${lead}\nmembers: {agents: [${agents.join(', ')}]}\n`;

const keys = (derived: { roster: ReadonlyMap<string, unknown> }) => [...derived.roster.keys()];

verifies(
  ['one.people', 'roster.fresh'],
  'a tree is read once, and again when one of its files is another one',
  async () => {
    const coding = '.teaparty/management/workgroups/coding.yaml';
    const later = { now: () => Date.now() + 60_000 };
    const { tree, reads, write } = place(
      { [OFFICE]: 'name: Office\nworkgroups: [{name: Coding, config: workgroups/coding.yaml}]\n' },
      later,
    );
    const first = await tree();
    const once = reads();
    expect([await tree(), reads()]).toEqual([first, once]);
    write(coding, workgroup('Coding', 'lee', 'dev'));
    expect((await tree()).catalogue[0]?.workgroup, 'a file that was missing').toMatchObject({ lead: 'lee' });
    write(coding, workgroup('Coding', 'leo', 'dev'));
    expect((await tree()).catalogue[0]?.workgroup, 'one that was edited').toMatchObject({ lead: 'leo' });
    const read = reads();
    await tree();
    expect(reads()).toBe(read);
  },
);

verifies('roster.config.ref-order', 'a reference is looked for in the project, beside it, and at home', async () => {
  const { write, project } = place({
    [OFFICE]: 'name: Office\n',
    '.teaparty/management/workgroups/coding.yaml': workgroup('Coding', 'home-lead', 'a'),
    'app/.teaparty/project/project.yaml':
      'name: App\nlead: app-lead\nworkgroups:\n  - ref: Coding\n  - {name: Art, config: workgroups/art.yaml}\nmembers: {workgroups: [Coding, Art, Loose Ends]}\n',
    '.teaparty/management/workgroups/art.yaml': workgroup('Art', 'art-lead', 'b'),
    '.teaparty/management/workgroups/loose-ends.yaml': workgroup('Loose Ends', 'loose-lead', 'c'),
  });
  const leads = async () => keys(deriveProjectRoster(await project('app')));
  expect(await leads()).toEqual(['home-lead', 'art-lead', 'loose-lead']);
  write('app/.teaparty.local/workgroups/coding.yaml', workgroup('Coding', 'local-lead', 'a'));
  expect((await leads())[0]).toBe('local-lead');
  write('app/.teaparty/project/workgroups/coding.yaml', workgroup('Coding', 'own-lead', 'a'));
  write('app/.teaparty/project/workgroups/art.yaml', workgroup('Art', 'own-art-lead', 'a'));
  expect(await leads()).toEqual(['own-lead', 'own-art-lead', 'loose-lead']);
});

verifies(
  'roster.config.ref-order',
  'a workgroup by its bare name is the one of the project one stands in, else that at home',
  async () => {
    const { at, config } = place({
      [OFFICE]: 'name: Office\n',
      '.teaparty/management/workgroups/coding.yaml': workgroup('Coding', 'home-lead', 'a'),
      '.teaparty/management/workgroups/art.yaml': workgroup('Art', 'art-lead', 'b'),
      'app/.teaparty/project/workgroups/coding.yaml': workgroup('Coding', 'own-lead', 'a'),
    });
    const lead = async (name: string) => (await config.workgroup(at(`app/${name}`), { from: at('app') })).lead;
    expect([await lead('coding.yaml'), await lead('art.yaml')]).toEqual(['own-lead', 'art-lead']);
    await expect(lead('none.yaml')).rejects.toMatchObject({ code: 'config_not_found' });
  },
);

verifies(
  'roster.config.invalid',
  'a description that is blank is none, as a generator of such files leaves it',
  async () => {
    const { project } = place({ [PROJECT]: "name: P\ndescription: ''\nlead: p-lead\n" });
    expect(await project()).toMatchObject({ name: 'P', lead: 'p-lead', description: undefined });
  },
);

verifies('roster.config.ref-missing', 'a reference that leads nowhere names every path that was tried', async () => {
  const { project } = place({ [PROJECT]: 'name: P\nworkgroups: [nowhere]\n' });
  const error = await project().then((read) => read.catalogue[0]?.workgroup);
  expect(error).toMatchObject({ code: 'workgroup_ref_not_found' });
  const { paths } = (error as TroupeError).details as { paths: string[] };
  expect(paths.map((file) => file.split('.teaparty')[1])).toEqual([
    '/project/workgroups/nowhere.yaml',
    '.local/workgroups/nowhere.yaml',
    '/management/workgroups/nowhere.yaml',
  ]);
  expect((error as TroupeError).message).toContain(paths[0]);
});

verifies('roster.config.missing', 'what a caller names and is not there is said with its path', async () => {
  const { top, config, at, project, tree } = place({});
  const missing = (named: string) =>
    expect.objectContaining({ code: 'config_not_found', message: expect.stringContaining(named) });
  await expect(tree()).rejects.toEqual(missing('.teaparty'));
  await expect(project()).rejects.toEqual(missing(PROJECT));
  await expect(config.workgroup(at('no.yaml'), { from: top })).rejects.toEqual(missing('no.yaml'));
  await expect(config.tree({ home: at('elsewhere'), from: top })).rejects.toEqual(missing('elsewhere'));
});

verifies('roster.config.invalid', 'what is not understood is said with file, line and column', async () => {
  for (const [text, at] of [
    ['name: [\n', /teaparty.yaml:\d+:\d+: expected YAML/],
    ['name: A\nname: B\n', /teaparty.yaml:2:1: .*appears twice/],
    ['description: nothing\n', /teaparty.yaml:1:1: expected: name is missing/],
    ['name: A\nmembers:\n  agents: yes\n', /teaparty.yaml:3:3: expected: members.agents must be a list, not "yes"/],
    ['name: A\nprojects:\n  - name: P\n    path: 7\n', /teaparty.yaml:4:5: .*path must be text, not 7/],
  ] as const) {
    await expect(place({ [OFFICE]: text }).tree(), text).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringMatching(at),
    });
  }
});

verifies('roster.config.bounded', 'large files, aliases and __proto__ are refused, and no link leads out', async () => {
  const refused = async (text: string) =>
    expect(place({ [OFFICE]: text }).tree()).rejects.toMatchObject({ code: 'config_invalid' });
  await refused(`name: A\ndescription: ${'x'.repeat(TEAM_LIMITS.rosterFileBytes)}\n`);
  await refused('a: &a [x, x]\nb: &b [*a, *a]\nname: *b\n');
  await refused('name: A\n__proto__: {lead: x}\n');
  const secret = place({ 'coding.yaml': workgroup('Secret', 'lead', 'a') });
  const { at, project, write, top } = place({
    [PROJECT]: 'name: P\nworkgroups: [coding]\nmembers: {workgroups: [coding]}\n',
  });
  mkdirSync(at('.teaparty/project/workgroups'), { recursive: true });
  symlinkSync(secret.at('coding.yaml'), at('.teaparty/project/workgroups/coding.yaml'));
  expect((await project()).catalogue[0]?.workgroup).toMatchObject({ code: 'unsafe_path' });
  write(
    PROJECT,
    `name: P\nworkgroups: [{name: Out, config: ../../../${path.relative(path.dirname(top), secret.at('coding.yaml'))}}]\n`,
  );
  expect((await project()).catalogue[0]?.workgroup).toMatchObject({ code: 'unsafe_path' });
});

verifies(
  'roster.config.agent-file',
  'agent files count in their order, and a broken one as none, with a warning',
  async () => {
    const agent = (description: string) =>
      `---\nname: dev\ndescription: ${description}\nmodel: any\n---\n\nBody of ${description}.\n`;
    const { write, project, tree, at, config, top } = place({
      [OFFICE]: 'name: Office\nmembers: {agents: [dev]}\n',
      '.claude/agents/dev.md': agent('client at home'),
      'app/.teaparty/project/project.yaml':
        'name: App\nlead: app-lead\nworkgroups: [coding]\nmembers: {workgroups: [coding]}\n',
      'app/.teaparty/project/workgroups/coding.yaml': workgroup('Coding', 'lead', 'dev'),
    });
    const seen = async () => {
      const read = (await project('app')).catalogue[0]?.workgroup;
      if (read === undefined || read instanceof TroupeError) throw new Error('no workgroup');
      return deriveWorkgroupRoster(read, 'App').roster.get('dev');
    };
    expect(await seen()).toMatchObject({ description: 'client at home', prompt: 'Body of client at home.' });
    write('.teaparty/management/agents/dev/agent.md', agent('home'));
    expect((await seen())?.description).toBe('home');
    expect(deriveOfficeRoster(await tree()).roster.get('dev')?.description).toBe('home');
    write('app/.claude/agents/dev.md', agent('client'));
    expect((await seen())?.description).toBe('client');
    write('app/.teaparty/project/agents/dev/agent.md', agent('own'));
    expect((await seen())?.description).toBe('own');
    const file = at('app/.teaparty/project/workgroups/coding.yaml');
    expect((await config.workgroup(file, { from: top })).agentFiles.get('dev')?.description).toBe('own');
    write('.teaparty/management/agents/dev/agent.md', '---\ndescription: [\n---\nBody');
    const warned = await tree();
    expect(warned.warnings).toMatchObject([
      { code: 'agent_file_invalid', text: expect.stringMatching(/agent.md:\d+:\d+/) },
    ]);
    expect(warned.agentFiles.get('dev')?.description, 'the next in the order').toBe('client at home');
  },
);

verifies(
  ['roster.config.ref-order', 'roster.office.projects'],
  'projects are found from the repository, the home of the person, and beside',
  async () => {
    const projectFile = (name: string) => `name: ${name}\nlead: ${name.toLowerCase()}-lead\n`;
    const { tree, write } = place({
      '.teaparty/teaparty.yaml':
        'name: Office\nlead: om\nprojects:\n  - {name: Here, path: .}\n  - {name: Own, path: ~/own, config: conf/p.yaml}\n',
      '.teaparty/external-projects.yaml': '- {name: Far, path: far}\n',
      [PROJECT]: projectFile('Here'),
      'person/own/conf/p.yaml': projectFile('Own'),
      'far/.teaparty.local/project.yaml': projectFile('Far'),
    });
    expect(keys(deriveOfficeRoster(await tree()))).toEqual(['here-lead', 'own-lead', 'far-lead']);
    write('.teaparty/external-projects.yaml', '');
    expect(keys(deriveOfficeRoster(await tree()))).toEqual(['here-lead', 'own-lead']);
    write('.teaparty/management/teaparty.yaml', 'name: Later layout\nprojects: [{name: Here, path: .}]\n');
    const later = await tree();
    expect(later.name).toBe('Later layout');
    expect(standingsOf(later).problems).toEqual([]);
  },
);
