import path from 'node:path';

/** What tells of a service that is up. */
export interface ServiceFiles {
  readonly state: string;
  /** What programs that are not given a link show to be let in. */
  readonly token: string;
  /** The same for those who may only look. */
  readonly viewerToken: string;
}

/** `folder` is `.workgraph/` of the project. */
export function serviceFiles(folder: string): ServiceFiles {
  const place = (name: string) => path.join(folder, 'service', name);
  return { state: place('state.json'), token: place('http-token'), viewerToken: place('http-viewer-token') };
}
