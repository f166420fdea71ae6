import { useState } from 'react';
import { inert } from '#kernel/text.js';
import { addressFor, commandOf, type ServedProject, useOtherProjects, waitingIn } from '../data/projects.js';
import { CopyIcon } from './CopyIcon.js';
import { Failure, Skeleton } from './Skeleton.js';

const MENU = 'projects-menu';

/** The name of the project, which opens a list of the others. */
export function Projects({ name, folder }: { readonly name: string; readonly folder: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="project"
        title={folder}
        aria-label={`${name}: other projects`}
        aria-expanded={isOpen}
        popoverTarget={MENU}
      >
        <span className="project-name">{name}</span>
        <svg viewBox="0 0 20 20" className="icon" aria-hidden="true">
          <path d="M6 8l4 4l4-4" />
        </svg>
      </button>
      <nav
        id={MENU}
        popover="auto"
        className="projects-menu"
        aria-label="Other projects"
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {isOpen ? <OtherProjects /> : null}
      </nav>
    </>
  );
}

function OtherProjects() {
  const { others, more, error } = useOtherProjects();
  if (others === undefined) return error === undefined ? <Skeleton rows={2} /> : <Failure error={error} />;
  if (others.length === 0)
    return (
      <div className="projects-none">
        <p>No other project has a service. Start one in its folder:</p>
        <CopyIcon text="troupe service start" shown />
      </div>
    );
  return (
    <>
      <ul>
        {others.map((project) => (
          <li key={project.folder}>
            <Entry project={project} />
            <CopyIcon text={commandOf(project)} />
          </li>
        ))}
      </ul>
      {more === 0 ? null : <p className="projects-note muted">and {more} more: `troupe projects`</p>}
      <p className="projects-note muted">
        A project that has not let this browser in asks for a link. The icon copies the command that prints it.
      </p>
    </>
  );
}

function Entry({ project }: { readonly project: ServedProject }) {
  const { name, folder, needs_you: needs } = project;
  const address = addressFor(project);
  const words = (
    <>
      <span className="projects-name">{inert(name)}</span>
      <span className={(needs ?? 0) > 0 ? 'projects-needs' : 'muted'}>{waitingIn(project)}</span>
      <span className="projects-folder muted" title={inert(folder)}>
        {inert(folder)}
      </span>
      {address === null ? <span className="projects-closed muted">Its dashboard has not been opened yet.</span> : null}
    </>
  );
  return address === null ? (
    <div className="projects-entry">{words}</div>
  ) : (
    <a className="projects-entry" href={address}>
      {words}
    </a>
  );
}
