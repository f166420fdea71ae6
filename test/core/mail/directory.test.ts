import { expect, test } from 'vitest';
import { ancestors, directoryOf, entryNamed, isDerivable, nameOf, roleOf, rosterOf } from '#core/mail/directory.js';
import { DIRECTORY } from './stage.js';

test('everybody there is: who stands above whom, whom each may write to, and what is known of them', () => {
  const told = [...DIRECTORY.values()].map((party) => {
    const { id, name, listener, member, agent, person, team, paused, place } = party;
    const roster = [...rosterOf(DIRECTORY, party, undefined)].map(([key, { type }]) => `${key}=${type}`);
    const facts = { name, listener, member, agent, person, team, paused, place: place?.does };
    return [
      `${id} < ${[...ancestors(DIRECTORY, party)].join(' < ')}`,
      `  ${JSON.stringify(facts)}`,
      `  writes to ${roster.join(' ')}`,
      `  asked by ann ${[...rosterOf(DIRECTORY, party, 'human/ann').keys()].filter((key) => !rosterOf(DIRECTORY, party, undefined).has(key)).join(' ')}`,
    ].join('\n');
  });
  expect(told.join('\n')).toMatchInlineSnapshot(`
    "om < 
      {"name":"office-manager","listener":true,"paused":false,"place":"manages Office"}
      writes to teaparty-lead=undefined pybayes-lead=undefined auditor=undefined researcher=undefined strategist=undefined Ann=human Ben=human
      asked by ann ann
    om/auditor < om
      {"name":"auditor","listener":false,"paused":false,"place":"works for Office"}
      writes to 
      asked by ann 
    om/researcher < om
      {"name":"researcher","listener":false,"paused":false,"place":"works for Office"}
      writes to 
      asked by ann 
    om/strategist < om
      {"name":"strategist","listener":false,"paused":false,"place":"works for Office"}
      writes to 
      asked by ann 
    teaparty/lead < om
      {"name":"teaparty-lead","listener":true,"paused":false,"place":"leads the project TeaParty"}
      writes to coding-lead=undefined Ann=human Ben=human
      asked by ann ann
    teaparty/coding/lead < teaparty/lead < om
      {"name":"coding-lead","listener":true,"paused":false,"place":"leads the workgroup Coding of TeaParty"}
      writes to developer=undefined reviewer=undefined architect=undefined Ann=human Ben=human
      asked by ann ann
    teaparty/coding/developer < teaparty/coding/lead < teaparty/lead < om
      {"name":"developer","listener":false,"paused":false,"place":"works in the workgroup Coding of TeaParty"}
      writes to 
      asked by ann 
    teaparty/coding/reviewer < teaparty/coding/lead < teaparty/lead < om
      {"name":"reviewer","listener":false,"paused":false,"place":"works in the workgroup Coding of TeaParty"}
      writes to 
      asked by ann 
    teaparty/coding/architect < teaparty/coding/lead < teaparty/lead < om
      {"name":"architect","listener":false,"paused":false,"place":"works in the workgroup Coding of TeaParty"}
      writes to 
      asked by ann 
    pybayes/lead < om
      {"name":"pybayes-lead","listener":false,"paused":false,"place":"leads the project pybayes"}
      writes to 
      asked by ann 
    airlock/lead < 
      {"name":"ripley","listener":true,"member":"ripley","team":"t-1","paused":false}
      writes to hicks=undefined drake=undefined vasquez=undefined
      asked by ann ann
    airlock/hicks < airlock/lead
      {"name":"hicks","listener":true,"member":"hicks","team":"t-1","paused":false}
      writes to ripley=undefined drake=undefined vasquez=undefined
      asked by ann ann
    airlock/drake < airlock/lead
      {"name":"drake","listener":true,"member":"drake","team":"t-1","paused":false}
      writes to ripley=undefined hicks=undefined vasquez=undefined
      asked by ann ann
    airlock/vasquez < airlock/lead
      {"name":"vasquez","listener":true,"member":"vasquez","team":"t-1","paused":true}
      writes to ripley=undefined hicks=undefined drake=undefined
      asked by ann ann"
  `);
});

test('who may write to whom, of each pair there is', () => {
  const ids = [...DIRECTORY.keys(), 'human/ann', 'nobody'];
  const told = ids.map((initiator) => {
    const reached = ids.filter(
      (recipient) => recipient !== initiator && isDerivable(DIRECTORY, { initiator, recipient }),
    );
    return `${initiator}: ${reached.join(' ')}`;
  });
  expect(told).toMatchInlineSnapshot(`
    [
      "om: om/auditor om/researcher om/strategist teaparty/lead pybayes/lead human/ann",
      "om/auditor: om human/ann",
      "om/researcher: om human/ann",
      "om/strategist: om human/ann",
      "teaparty/lead: om teaparty/coding/lead human/ann",
      "teaparty/coding/lead: om teaparty/lead teaparty/coding/developer teaparty/coding/reviewer teaparty/coding/architect human/ann",
      "teaparty/coding/developer: om teaparty/lead teaparty/coding/lead human/ann",
      "teaparty/coding/reviewer: om teaparty/lead teaparty/coding/lead human/ann",
      "teaparty/coding/architect: om teaparty/lead teaparty/coding/lead human/ann",
      "pybayes/lead: om human/ann",
      "airlock/lead: airlock/hicks airlock/drake airlock/vasquez human/ann",
      "airlock/hicks: airlock/lead airlock/drake airlock/vasquez human/ann",
      "airlock/drake: airlock/lead airlock/hicks airlock/vasquez human/ann",
      "airlock/vasquez: airlock/lead airlock/hicks airlock/drake human/ann",
      "human/ann: om om/auditor om/researcher om/strategist teaparty/lead teaparty/coding/lead teaparty/coding/developer teaparty/coding/reviewer teaparty/coding/architect pybayes/lead airlock/lead airlock/hicks airlock/drake airlock/vasquez",
      "nobody: ",
    ]
  `);
});

test('names in rosters, ids of their entries, and what a person is to those who ask', () => {
  const [party] = DIRECTORY.values();
  if (!party) throw new Error('there is one');
  const roster = rosterOf(DIRECTORY, party, undefined);
  const named = [...roster.keys()].flatMap((key) => [
    entryNamed(roster, key)?.id,
    entryNamed(roster, entryNamed(roster, key)?.id ?? '')?.id,
  ]);
  expect(named).toMatchInlineSnapshot(`
    [
      "teaparty/lead",
      "teaparty/lead",
      "pybayes/lead",
      "pybayes/lead",
      "om/auditor",
      "om/auditor",
      "om/researcher",
      "om/researcher",
      "om/strategist",
      "om/strategist",
      "human/ann",
      "human/ann",
      "human/ben",
      "human/ben",
    ]
  `);
  expect([
    entryNamed(roster, 'nobody'),
    nameOf(DIRECTORY, 'om'),
    nameOf(DIRECTORY, party.id),
    nameOf(DIRECTORY, 'a/b'),
    nameOf(DIRECTORY, ''),
  ]).toMatchInlineSnapshot(`
    [
      undefined,
      "om",
      "om",
      "b",
      "",
    ]
  `);
  expect([
    roleOf(party.humans, 'human/ann'),
    roleOf(party.humans, 'human/ben'),
    roleOf(party.humans, 'human/eve'),
  ]).toMatchInlineSnapshot(`
    [
      "decider",
      "advisor",
      undefined,
    ]
  `);
});

test('of two teams the members are told apart by their ids; one that is taken stays whose it is', () => {
  const team = (id: string | undefined, name: string, leader: string, mesh = false) => ({
    ...{ id, name, leader, mesh, humans: [] },
    members: ['ann', 'bob'].map((slug) => ({ slug, name: slug.toUpperCase(), roleTitle: '', charter: `of ${slug}` })),
    people: [{ slug: 'bob', agent: 'a-1', person: 'p-1', paused: false }],
  });
  const told = (...teams: ReturnType<typeof team>[]) =>
    [...directoryOf(undefined, teams as never).values()].map(({ derived: _, humans: __, ...party }) => party);
  expect(
    told(team('t-1', 'One', 'ann'), team(undefined, 'One', 'bob'), team('t-2', 'Two', 'bob', true)),
  ).toMatchInlineSnapshot(`
    [
      {
        "above": undefined,
        "agent": undefined,
        "id": "one/lead",
        "listener": true,
        "member": "ANN",
        "name": "ANN",
        "paused": false,
        "person": undefined,
        "place": undefined,
        "prompt": "of ann",
        "team": "t-1",
      },
      {
        "above": "one/lead",
        "agent": "a-1",
        "id": "one/bob",
        "listener": false,
        "member": "BOB",
        "name": "BOB",
        "paused": false,
        "person": "p-1",
        "place": undefined,
        "prompt": "of bob",
        "team": "t-1",
      },
      {
        "above": "one/lead",
        "agent": undefined,
        "id": "one/ann",
        "listener": false,
        "member": "ANN",
        "name": "ANN",
        "paused": false,
        "person": undefined,
        "place": undefined,
        "prompt": "of ann",
        "team": undefined,
      },
      {
        "above": "two/lead",
        "agent": undefined,
        "id": "two/ann",
        "listener": true,
        "member": "ANN",
        "name": "ANN",
        "paused": false,
        "person": undefined,
        "place": undefined,
        "prompt": "of ann",
        "team": "t-2",
      },
      {
        "above": undefined,
        "agent": "a-1",
        "id": "two/lead",
        "listener": true,
        "member": "BOB",
        "name": "BOB",
        "paused": false,
        "person": "p-1",
        "place": undefined,
        "prompt": "of bob",
        "team": "t-2",
      },
    ]
  `);
});
