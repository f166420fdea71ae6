/** Ways by which people are told something, in the order of tests and lists. */
export const CHANNELS = ['webhook', 'desktop', 'email', 'matrix'] as const;
export type Channel = (typeof CHANNELS)[number];
