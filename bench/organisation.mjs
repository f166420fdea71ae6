// An organisation of any size, in the form in which its files are parsed, and its participants.
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Modules that `storesIn` needs. */
export const STORES = {
  'file-store-kind': 'src/adapters/store/files/file-store-kind.ts',
  'mail-tables': 'src/adapters/mail/mail-tables.ts',
  'process-table': 'src/adapters/processes/process-table.ts',
  'teams-database': 'src/adapters/teams-database/teams-database.ts',
};

/** The stores in the teams.db of a project; their writes take turns as those of commands do. */
export function storesIn({ fileStoreKind, TeamsDatabase, MailTables, ProcessTable }, folder) {
  const clock = { now: () => Date.now() };
  const turn = fileStoreKind({ folder, clock, processes: async () => new ProcessTable() }).turn(() => false);
  const migrations = path.resolve(import.meta.dirname, '../data/teams');
  const database = new TeamsDatabase({ folder, migrations, turn, copies: path.join(folder, 'copies'), clock });
  return { database, mail: new MailTables(database) };
}

/** Loads the functions that build the configuration tree and derive its rosters. */
export async function loadRosters(bundle) {
  const load = (name) => import(pathToFileURL(path.join(bundle, `${name}.mjs`)).href);
  const [{ standingsOf }, { directoryOf, rosterOf, entryNamed }] = await Promise.all([
    load('standings'),
    load('directory'),
  ]);
  return { standingsOf, directoryOf, rosterOf, entryNamed };
}

export function treeOf({ projects, workgroups, agents }) {
  const groupsEach = Math.round(workgroups / projects);
  const agentsEach = Math.round(agents / workgroups);
  const none = { description: undefined, humans: [], agentFiles: new Map(), escalation: {} };
  return {
    ...{ ...none, name: 'Office', lead: 'office-manager', memberProjects: undefined, memberAgents: [], warnings: [] },
    ...{ memberWorkgroups: [], catalogue: [], humans: [{ name: 'Ann', role: 'decider' }] },
    projects: Array.from({ length: projects }, (_, number) => {
      const catalogue = Array.from({ length: groupsEach }, (_, group) => ({
        ...{ ref: `group-${group}`, name: undefined, active: true },
        workgroup: {
          ...{ ...none, name: `Group ${group}`, ref: `group-${group}`, lead: `lead-${number}-${group}` },
          agents: Array.from({ length: agentsEach }, (_, agent) => `agent-${number}-${group}-${agent}`),
        },
      }));
      const memberWorkgroups = catalogue.map(({ ref }) => ref);
      const project = { ...none, name: `project-${number}`, lead: `head-${number}`, catalogue, memberWorkgroups };
      return { name: project.name, project };
    }),
  };
}

/** A team whose members may all write to each other. */
export function meshTeam(count) {
  const members = Array.from({ length: count }, (_, number) => {
    const slug = `member-${String(number).padStart(2, '0')}`;
    return { slug, name: slug, roleTitle: '', charter: undefined };
  });
  return { id: undefined, name: 'Crew', leader: 'member-00', mesh: true, members, people: [], humans: [] };
}

export async function organisation(bundle, { members }) {
  const { directoryOf } = await loadRosters(bundle);
  return directoryOf(undefined, [meshTeam(members)]);
}
