import { sharedPath } from '../contract/shared-path.ts';
import { hasStoredTokens } from './services/token-storage-key.ts';
import type { Screen } from './wiring/start.ts';

// The content security policy forbids `eval`, which zod probes. The option must be set before the first schema is created;
// import order does not guarantee that in bundles (checked by e2e/test.ts).
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

// The font is not render-blocking: it loads after the program.
void document.fonts.load("1em 'Inter Variable'").catch(() => {});

const startProgram = (): void => {
  // This chunk is small and loads first: the actors start while the views still load (vite-first-visit.ts).
  const screen: Promise<Screen> = import('./views/app/screen.tsx');
  // Load errors are handled where the modules are used.
  const later = [
    screen,
    ...(hasStoredTokens(location.origin, localStorage) ? [import('./views/app/signed-in.tsx')] : []),
  ];
  for (const one of later) one.catch(() => {});
  void import('./wiring/start.ts').then(({ start }) => start(screen));
};

if (location.pathname === sharedPath) void import('./wiring/start-shared.ts').then(({ startShared }) => startShared());
else startProgram();
