import { glance } from '#adapters/store/files/glance.js';
import { isTask } from '#core/graph/task.js';
import { byId } from '#kernel/order.js';
import type { Project } from '#ports/project.js';

/** The tasks of a project, by id, as its files say: nothing is written, no service is asked; outside of one there are none. */
export function tasksAtAGlance(project: Project | undefined): readonly { id: string; title: string }[] {
  if (project === undefined) return [];
  const tasks = [...glance(project.layout.folder).nodes()].filter(isTask);
  return tasks.map(({ id, title }) => ({ id, title })).sort(byId);
}
