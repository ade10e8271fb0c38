import type { routes } from '../../../contract/routes.ts';
import { administrationScenes } from './administration-scenes.ts';
import { dicomWebScenes } from './dicomweb-scenes.ts';
import { recordScenes } from './record-scenes.ts';
import type { Scene } from './scene.ts';

/** The request of every route of the contract. A missing route is a compile error. */
const scenes = { ...administrationScenes, ...dicomWebScenes, ...recordScenes } satisfies Record<
  keyof typeof routes,
  Scene
>;

export const sceneOf = (name: keyof typeof routes): Scene => scenes[name];
