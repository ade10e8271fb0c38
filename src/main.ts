import type { Screen } from './wiring/start.ts';

// Small and first. What nobody sees is started as soon as it is there, while what is drawn is on its way (vite-first-visit.ts).
const screen: Promise<Screen> = import('./wiring/screen.tsx');
// Whether it came is asked by the start.
screen.catch(() => {});
void import('./wiring/start.ts').then(({ start }) => start(screen));
