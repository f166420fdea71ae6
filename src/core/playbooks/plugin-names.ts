/** Available plugins for Claude Code. */
export const PLUGINS = ['roles', 'dev-crew', 'brainstorm-panel', 'research-sweep'] as const;
export type PluginName = (typeof PLUGINS)[number];
