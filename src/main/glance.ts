import { readGraphUnlocked } from '#adapters/store/files/glance.js';
import { isTask } from '#core/graph/task.js';
import { byId } from '#kernel/order.js';
import type { Project } from '#ports/project.js';

/** Tasks of a project, sorted by id, read from its files without a write or a service; empty without a project. */
export function tasksAtAGlance(project: Project | undefined): readonly { id: string; title: string }[] {
  if (project === undefined) return [];
  const tasks = [...readGraphUnlocked(project.layout.folder).nodes()].filter(isTask);
  return tasks.map(({ id, title }) => ({ id, title })).sort(byId);
}
