import { hasStored } from './services/stored-name.ts';
import type { Screen } from './wiring/start.ts';

// The page's policy forbids `eval`, and zod tries whether it does: a breach of it at each visit. It is told before its first schema is made, which
// no order of imports says of files that are put together (e2e/test.ts watches).
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

// The letters of our languages are drawn with, not begun with: they come after the program.
void document.fonts.load("1em 'Inter Variable'").catch(() => {});
// Small and first. What nobody sees is started as soon as it is there, while what is drawn is on its way (vite-first-visit.ts).
const screen: Promise<Screen> = import('./wiring/screen.tsx');
// Whether they came is asked by whoever needs them.
const later = [screen, ...(hasStored(location.origin, localStorage) ? [import('./views/signed-in.tsx')] : [])];
for (const one of later) one.catch(() => {});
void import('./wiring/start.ts').then(({ start }) => start(screen));
