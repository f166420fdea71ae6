import path from 'node:path';
import { expect, test } from 'vitest';
import { ConfigFolder } from '#adapters/mail/config-folder.js';
import { systemClock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';

/** Files by their paths; what was asked for stays, in its order. */
function configured(files: Readonly<Record<string, string>>) {
  const asked: string[] = [];
  const readText = async (file: string) => {
    asked.push(file);
    const text = files[file];
    return text === undefined ? undefined : { text, more: text === 'MORE' };
  };
  return { asked, config: new ConfigFolder({ clock: systemClock, homeFolder: '/home/ann', readText }) };
}
const coded = async (work: Promise<unknown>) =>
  await work.then(
    () => 'read',
    (error: TroupeError) => `${error.code}: ${error.message}`,
  );
const from = { from: '/office/deep' };
const HEAD = '---\nname: x\ndescription: " Helps. "\n---\n\nDo it.\n';

test('a whole tree: the office, its projects from each list, workgroups, agents and people', async () => {
  const { config } = configured({
    '/office/.teaparty/management/teaparty.yaml': `name: Office
description: We do.
lead: boss
humans: [{name: Ann, role: decider}]
workgroups: [{name: Coding, config: workgroups/coding.yaml}, {name: Gone, config: gone.yaml, status: Retired}, {name: QA, config: workgroups/qa.yaml, status: " ACTIVE "}]
projects: [{name: One, path: one}, {name: Two, path: ~/two, config: own/project.yaml}, {name: Home, path: "~"}]
members: {projects: [One], agents: [helper, ../out, "."], workgroups: [Coding]}
`,
    '/office/.teaparty/management/external-projects.yaml': '- {name: Three, path: /three}\n',
    '/office/.teaparty/management/workgroups/coding.yaml': 'name: Coding\nlead: lee\nmembers: {agents: [dev]}\n',
    '/office/.teaparty/management/workgroups/qa.yaml': 'name: Quality\n',
    '/office/one/.teaparty/project/project.yaml': 'name: One\nlead: pia\nescalation: {plan: never}\n',
    '/home/ann/two/own/project.yaml': 'name: Two\nmembers: {workgroups: [Free, Missing]}\n',
    '/home/ann/two/.teaparty/project/workgroups/free.yaml': 'name: Free\n',
    '/three/.teaparty.local/project.yaml': 'name: Three\n',
    '/office/.teaparty/management/agents/helper/agent.md': HEAD,
    '/office/.claude/agents/boss.md': HEAD,
    '/office/.claude/agents/lee.md': '---\ndescription: ""\n---\n',
    '/office/.teaparty/management/agents/dev/agent.md': 'no front matter',
    '/office/.claude/agents/dev.md': HEAD,
    '/office/one/.claude/agents/pia.md': HEAD,
  });
  const { projects, catalogue, ...tree } = await config.tree(from);
  const helps = { description: 'Helps.', prompt: 'Do it.' };
  expect(tree).toEqual({
    ...{ name: 'Office', description: 'We do.', lead: 'boss', humans: [{ name: 'Ann', role: 'decider' }] },
    ...{ memberProjects: ['One'], memberAgents: ['helper', '../out', '.'], memberWorkgroups: ['Coding'] },
    agentFiles: new Map([
      ['helper', helps],
      ['boss', helps],
    ]),
    warnings: [{ code: 'agent_file_invalid', text: expect.stringContaining('management/agents/dev/agent.md') }],
  });
  expect(catalogue).toEqual([
    {
      ...{ ref: undefined, name: 'Coding', active: true },
      workgroup: {
        ...{ name: 'Coding', ref: undefined, description: undefined, lead: 'lee', agents: ['dev'], humans: [] },
        agentFiles: new Map<string, object>([
          ['dev', helps],
          ['lee', { description: undefined, prompt: '' }],
        ]),
      },
    },
    {
      ref: undefined,
      name: 'Gone',
      active: false,
      workgroup: expect.objectContaining({ code: 'workgroup_ref_not_found' }),
    },
    { ref: undefined, name: 'QA', active: true, workgroup: expect.objectContaining({ name: 'Quality' }) },
  ]);
  expect(projects.map(({ name }) => name)).toEqual(['One', 'Two', 'Home', 'Three']);
  const [one, two, home, three] = projects.map(({ project }) => project);
  expect(one).toEqual({
    ...{ name: 'One', description: undefined, lead: 'pia', humans: [], catalogue: [], memberWorkgroups: [] },
    ...{ escalation: { plan: 'never' }, agentFiles: new Map([['pia', helps]]) },
  });
  expect(two).toMatchObject({
    ...{ name: 'Two', memberWorkgroups: ['Free', 'Missing'], escalation: {}, lead: undefined },
    catalogue: [{ ref: 'free', active: true, workgroup: { name: 'Free' } }],
  });
  expect(two instanceof TroupeError ? [] : two?.catalogue).toHaveLength(1);
  expect([home instanceof TroupeError && home.code, three instanceof TroupeError ? '' : three?.name]).toEqual([
    ...['config_not_found', 'Three'],
  ]);
});

test('the office is looked for upwards, first below management; one that is named is the only one', async () => {
  const at = (file: string) => ({ [file]: 'name: Office\n' });
  const looked = async (files: Readonly<Record<string, string>>, home?: string) => {
    const { asked, config } = configured(files);
    const said = await coded(config.tree({ from: '/a/b', ...(home === undefined ? {} : { home }) }));
    return [said, asked.filter((file) => file.endsWith('teaparty.yaml'))] as const;
  };
  const [found, asked] = await looked(at('/.teaparty/teaparty.yaml'));
  expect(found).toBe('read');
  expect(asked.slice(0, 6)).toEqual(
    ['/a/b', '/a', ''].flatMap((folder) =>
      ['management/teaparty.yaml', 'teaparty.yaml'].map((name) => `${folder}/.teaparty/${name}`),
    ),
  );
  expect((await looked({}))[0]).toBe('config_not_found: There is no roster configuration at /a/b/.teaparty.');
  expect((await looked(at('/a/.teaparty/teaparty.yaml'), '/c/home'))[0]).toMatch(
    /^config_not_found: .* at \/c\/home\.$/,
  );
  expect((await looked(at('/c/home/teaparty.yaml'), '/c/home'))[0]).toBe('read');
  const deep = `/${Array.from({ length: TEAM_LIMITS.rosterFoldersUp }, (_, index) => index).join('/')}`;
  const top = configured(at('/.teaparty/teaparty.yaml'));
  expect(await coded(top.config.tree({ from: deep }))).toMatch(/^config_not_found/);
  expect(await coded(top.config.tree({ from: path.dirname(deep) }))).toBe('read');
});

test('a workgroup is the file itself, else one of its name in the project, beside it, and at home', async () => {
  const places = [
    ...['/p/coding.yaml', '/p/.teaparty/project/workgroups/coding.yaml', '/p/.teaparty.local/workgroups/coding.yaml'],
    ...['/h/.teaparty/management/workgroups/coding.yaml', '/h/.teaparty/workgroups/coding.yaml'],
  ];
  for (const [index, place] of places.entries()) {
    const files = Object.fromEntries(places.slice(index).map((file) => [file, `name: ${file}\nlead: lee\n`]));
    const agents = { '/p/.claude/agents/lee.md': HEAD, '/h/.claude/agents/lee.md': '---\nname: lee\n---\nAt home.\n' };
    const { config } = configured({ ...files, ...agents });
    const found = await config.workgroup('/p/coding.yaml', { home: '/h/.teaparty', from: '/p' });
    expect(found.name).toBe(place);
    const inProject = place.includes('/project/') || place.includes('.teaparty.local');
    expect(found.agentFiles.get('lee')?.prompt, place).toBe(inProject ? 'Do it.' : 'At home.');
  }
  const { config, asked } = configured({});
  expect(await coded(config.workgroup('/p/coding.yaml', { home: '/h/.teaparty', from: '/p' }))).toMatch(
    /^config_not_found/,
  );
  expect(asked).toEqual(places);
});

test('a member without an entry is a file by its slug, and none where an entry is called so', async () => {
  const project = async (text: string, files: Readonly<Record<string, string>> = {}) => {
    const { config, asked } = configured({ '/p/.teaparty/project/project.yaml': text, ...files });
    const { catalogue } = await config.project('/p', { from: '/p' });
    return [catalogue.map(({ ref, name }) => ref ?? name), asked.some((file) => file.includes('coding-crew'))];
  };
  const own = { '/p/.teaparty/project/workgroups/a.yaml': 'name: Coding Crew\n' };
  const member = 'members: {workgroups: [Coding Crew]}\n';
  expect(await project(`name: P\n${member}`)).toEqual([[], true]);
  expect(await project(`name: P\nworkgroups: [a]\n${member}`, own), 'by its name').toEqual([['a'], false]);
  expect(
    await project(`name: P\nworkgroups: [{name: coding-crew, config: workgroups/a.yaml}]\n${member}`, own),
  ).toEqual([['coding-crew'], false]);
  const broken = { '/p/.teaparty/project/workgroups/coding-crew.yaml': 'name: [\n' };
  expect(await project(`name: P\n${member}`, broken), 'a broken one is told').toEqual([['coding-crew'], true]);
});

test('a name that is none of a file leads to no agent, also where a file lies there', async () => {
  const names = ['.', '..', 'a/b', 'a\\b', 'a\0b', 'ok'];
  const places = names.flatMap((name) => [
    path.join('/p/.claude/agents', `${name}.md`),
    path.join('/p/.teaparty/project/agents', name, 'agent.md'),
  ]);
  const project = `name: P\nworkgroups: [a]\n`;
  const { config } = configured({
    ...Object.fromEntries(places.map((file) => [file, HEAD])),
    '/p/.teaparty/project/project.yaml': project,
    '/p/.teaparty/project/workgroups/a.yaml': `name: A\nmembers: {agents: ${JSON.stringify(names)}}\n`,
  });
  const [entry] = (await config.project('/p', { from: '/p' })).catalogue;
  expect(entry?.workgroup).toHaveProperty('agentFiles', new Map([['ok', expect.anything()]]));
});

test('what is too large, or not as it should be, is refused with its place', async () => {
  const read = async (text: string) =>
    await configured({ '/p/.teaparty/project/project.yaml': text })
      .config.project('/p', from)
      .then(
        () => 'read',
        ({ code, message, details }: TroupeError) => [code, message.replace('/p/.teaparty/project/', ''), details],
      );
  const file = '/p/.teaparty/project/project.yaml';
  expect(await read('MORE')).toEqual([
    ...['config_invalid', `project.yaml: expected at most ${TEAM_LIMITS.rosterFileBytes} bytes.`, { file }],
  ]);
  expect(await read('name: P\nhumans: 7\n')).toEqual([
    ...[
      'config_invalid',
      expect.stringMatching(/^project\.yaml:2:\d+: expected: /),
      { file, line: 2, column: expect.any(Number) },
    ],
  ]);
  expect(await read('name: P\na: b: c\n')).toEqual([
    ...[
      'config_invalid',
      expect.stringMatching(/^project\.yaml:2:\d+: expected YAML: /),
      { file, line: 2, column: expect.any(Number) },
    ],
  ]);
  expect(await read('')).toEqual([
    'config_invalid',
    expect.stringMatching(/^project\.yaml/),
    expect.objectContaining({ file }),
  ]);
  expect(await coded(configured({}).config.workgroup('/p/../x.yaml', { from: '/p' }))).toMatch(/^config_not_found/);
});
