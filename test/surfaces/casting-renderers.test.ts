import pc from 'picocolors';
import { expect, test } from 'vitest';
import { confirm, ensureTeam } from '#operations/squad/confirm.js';
import { manual, reject } from '#operations/squad/proposals.js';
import { archetypes, universes } from '#operations/squad/sources.js';
import { show as team } from '#operations/teams/teams.js';
import { rendererOf } from '#surfaces/cli/renderers.js';
import type { Screen } from '#surfaces/cli/screen.js';
import { Stage } from '../operations/team/casting-stage.js';
import { verifies } from '../verifies.js';

async function printed(name: string, output: unknown, width = 80): Promise<{ lines: string[]; asides: string[] }> {
  const lines: string[] = [];
  const asides: string[] = [];
  const screen: Screen = {
    width,
    colour: pc.createColors(false),
    unicode: true,
    line: (text = '') => lines.push(text),
    aside: (text) => asides.push(text),
  };
  const render = await rendererOf(name);
  await render(output, screen, { serviceAnswers: async () => false });
  return { lines, asides };
}

verifies('say.raw', 'a roster is a table for people, and JSON only where a client takes it', async () => {
  const about = { owner: 'crew/lead', warnings: [{ code: 'left_out', text: 'x' }] };
  const roster = { cobb: { description: 'Builds it.' }, arthur: { description: 'Tests\u001b it.' } };
  const shown = await printed('roster.team', { ...about, form: 'plain', roster });
  expect(shown.lines.map((line) => line.trimEnd())).toEqual([
    'MAY WRITE TO  DESCRIPTION',
    'cobb          Builds it.',
    'arthur        Tests\\u{1b} it.',
  ]);
  expect(shown.asides).toEqual(['left_out: x']);
  const ids = await printed('roster.show', { ...about, form: 'ids', roster: { cobb: 'crew/cobb' }, listener: false });
  expect(ids.lines[1]).toMatch(/^cobb +crew\/cobb$/);
  const forClient = await printed('roster.team', { ...about, form: 'agents', roster });
  expect(JSON.parse(forClient.lines.join('\n'))).toEqual(roster);
  expect((await printed('roster.team', { ...about, form: 'plain', roster: {} })).lines).toEqual([
    'crew/lead may write to no one: it can only reply.',
  ]);
});

verifies('ui.cli.table', 'a proposal is aligned, cut to the width and names the next command', async () => {
  const stage = new Stage();
  const proposal = await stage.call(manual, {
    archetypes: ['writer', 'product-marketing-manager'],
    universe: 'The Matrix',
  });
  const { lines, asides } = await printed('casting.manual', proposal, 60);
  expect(lines[0]).toBe('Proposed: 2 members from The Matrix (holds for 30m)');
  expect(lines.slice(3, 5)).toEqual([
    '  Neo      Writer                     Named by you.',
    '  Trinity  Product Marketing Manager  Named by you.',
  ]);
  expect(asides.at(-1)).toBe('Next: troupe cast confirm (or: troupe cast reject)');
  const long = {
    ...proposal,
    members: proposal.members.map((member) => ({ ...member, justification: 'because '.repeat(30) })),
  };
  for (const line of (await printed('casting.manual', long, 60)).lines)
    expect([...line].length).toBeLessThanOrEqual(60);
});

verifies('sec.csp', 'foreign text is shown inert', async () => {
  const proposal = await new Stage().call(manual, { archetypes: ['writer'] });
  const evil = '\u001b]0;x\u0007\u202e';
  const hostile = {
    ...proposal,
    rationale: evil,
    universe: evil,
    members: proposal.members.map((member) => ({ ...member, proposed_name: evil, justification: evil })),
  };
  const { lines, asides } = await printed('casting.manual', hostile);
  expect([...lines, ...asides].join('\n')).not.toMatch(/[\u001b\u0007\u202e]/);
});

test('a confirmed team, the team, universes, archetypes and a rejection', async () => {
  const stage = new Stage();
  await stage.call(manual, { archetypes: ['writer', 'lead-pm'], universe: 'The Matrix' });
  const confirmed = await printed('casting.confirm', await stage.call(confirm));
  expect(confirmed.lines).toEqual([
    'The team: 2 members from The Matrix, led by Trinity',
    '',
    '  Neo      Writer                new',
    expect.stringMatching(/^ {2}Trinity {2}\S.* new, leads$/),
    '',
    'Built in: Scribe, Ralph, Rai, Coordinator',
    'Its files: .squad/, and outside it .gitattributes, .gitignore, .workgraph/',
  ]);
  expect((await printed('team.show', await stage.call(team), 100)).lines).toHaveLength(8);
  const places = await printed('casting.universes', await stage.call(universes));
  expect(places.lines[0]).toContain('this team');
  expect((await printed('casting.archetypes', await stage.call(archetypes))).lines.length).toBeGreaterThanOrEqual(32);
  const ensured = await printed('team.ensure', await stage.call(ensureTeam, { workflow: 'repository-review' }));
  expect(ensured.lines).toEqual(['The existing team: 2 members from The Matrix, led by Trinity']);
  const next = await stage.call(manual, { archetypes: ['editor'], universe: 'Dune' });
  const withTeam = await printed('casting.manual', next);
  expect(withTeam.lines.join('\n')).toContain("names from the team's universe: Morpheus.");
  expect(withTeam.asides.at(-1)).toBe(
    'Next: troupe cast confirm --intent augment (or with --intent recast or --intent new)',
  );
  expect((await printed('casting.reject', await stage.call(reject))).lines).toHaveLength(1);
});

test('bytes that are no text are refused on a terminal: a redirection would have an empty file', async () => {
  const artifact = { id: 'a-1', name: 'p.png' };
  const shown = printed('artifact.get', { artifact, encoding: 'base64', content: '/w==', file: null });
  await expect(shown).rejects.toMatchObject({
    code: 'bad_input',
    hint: 'Run `troupe team artifacts a-1 --get -o FILE`.',
  });
});
