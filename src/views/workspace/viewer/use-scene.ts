import { useMemo } from 'react';
import type { Scene } from '../../../viewer/index.ts';
import { type SceneOptions, sceneOfContent } from './scene-of-content.ts';
import { authorText } from './viewer-texts.ts';

/** Returns the scene of what is shown; the same object until something of it changes. */
export const useScene = (options: Omit<SceneOptions, 'authorTextOf'>): Scene => {
  const { content, settingsOf, stateOf, activeUid, tool, mountView, linked, marksHidden, planesHidden } = options;
  const { width, height } = options.stage;
  return useMemo(
    () =>
      sceneOfContent({
        content,
        settingsOf,
        stateOf,
        activeUid,
        tool,
        mountView,
        linked,
        marksHidden,
        planesHidden,
        authorTextOf: authorText,
        stage: { width, height },
      }),
    [content, settingsOf, stateOf, activeUid, tool, mountView, linked, marksHidden, planesHidden, width, height],
  );
};
