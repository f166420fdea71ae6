import { inert, shellWord } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';
import { notice } from './notices.js';
import { NO_NEWS, resourceOf, useResource } from './resource.js';

export type ServedProject = Answer<'project.list'>['projects'][number];

/** Other projects are polled: what waits there is in no log of this one. */
const ASK_PROJECTS_MS = 10_000;

const projects = resourceOf('project.list', {});

/** The other projects of this person that have a service on this machine, asked as long as they are shown. */
export function useOtherProjects() {
  const { answer, error } = useResource(projects, ASK_PROJECTS_MS, NO_NEWS);
  return { others: answer?.projects.filter(({ here }) => !here), more: answer?.more ?? 0, error };
}

/** Command that prints a link to the dashboard of a project. */
export const commandOf = ({ folder }: ServedProject): string => `troupe --dir ${shellWord(inert(folder))} dashboard`;

/** Matters that wait in a project, in words. */
export function waitingIn({ needs_you: needs, running }: ServedProject): string {
  if (needs === null || running === null) return 'does not answer';
  const parts = [
    ...(needs > 0 ? [`${needs} ${needs === 1 ? 'needs' : 'need'} you`] : []),
    ...(running > 0 ? [`${running} running`] : []),
  ];
  return parts.length === 0 ? 'nothing waits' : parts.join(', ');
}

/** Its address on the host of this page, by which this browser reaches it; else the one on its own machine. */
export function addressFor({ address, listens }: ServedProject): string | null {
  const here = new URL(window.location.href).hostname;
  return listens.find((one) => new URL(one).hostname === here) ?? address;
}

/** Opens the dashboard of a project, or copies the command that opens it if the dashboard does not run. */
export async function openProject(project: ServedProject): Promise<void> {
  const address = addressFor(project);
  if (address !== null) return window.location.assign(address);
  await navigator.clipboard.writeText(commandOf(project));
  notice.set({ text: `Copied: \`${commandOf(project)}\` prints the link that opens ${inert(project.name)}.` });
}
