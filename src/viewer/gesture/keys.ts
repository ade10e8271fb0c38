import type { Tool } from '../scene/scene.ts';

/** What a key asks for. Steps are counted; what a step is belongs to `key-actions.ts`. */
export type KeyCommand =
  | { readonly type: 'zoom'; readonly steps: number }
  | { readonly type: 'pan'; readonly right: number; readonly down: number }
  | { readonly type: 'window'; readonly wider: number; readonly brighter: number }
  | { readonly type: 'fit' }
  | { readonly type: 'actual-size' }
  | { readonly type: 'rotate'; readonly quarters: number }
  | { readonly type: 'flip'; readonly axis: 'horizontal' | 'vertical' }
  | { readonly type: 'invert' }
  | { readonly type: 'reset' }
  | { readonly type: 'frame'; readonly by: number }
  | { readonly type: 'tool'; readonly tool: Tool };

export interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const plain: Readonly<Record<string, KeyCommand>> = {
  '+': { type: 'zoom', steps: 1 },
  '=': { type: 'zoom', steps: 1 },
  '-': { type: 'zoom', steps: -1 },
  '0': { type: 'fit' },
  f: { type: 'fit' },
  '1': { type: 'actual-size' },
  r: { type: 'rotate', quarters: 1 },
  R: { type: 'rotate', quarters: -1 },
  h: { type: 'flip', axis: 'horizontal' },
  v: { type: 'flip', axis: 'vertical' },
  i: { type: 'invert' },
  Backspace: { type: 'reset' },
  PageUp: { type: 'frame', by: -1 },
  PageDown: { type: 'frame', by: 1 },
  w: { type: 'tool', tool: 'window' },
  p: { type: 'tool', tool: 'pan' },
  z: { type: 'tool', tool: 'zoom' },
};

/** The command of a key, null for keys that are not ours. Shift + arrows: brightness (up, down) and contrast. */
export const commandOf = ({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyPress): KeyCommand | null => {
  if (ctrlKey || metaKey || altKey) return null;
  const arrow = arrows[key];
  if (arrow) {
    const [right, down] = arrow;
    // Right means more contrast to a person, that is a narrower window.
    if (shiftKey) return { type: 'window', wider: right === 0 ? 0 : -right, brighter: down === 0 ? 0 : -down };
    return { type: 'pan', right, down };
  }
  return plain[key] ?? null;
};
