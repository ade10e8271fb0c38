import type { Tool } from '../scene/scene.ts';

/** A command of the keyboard or toolbar. Steps are counts; `act.ts` defines the size of a step. */
export type KeyCommand =
  | { readonly type: 'zoom'; readonly steps: number }
  /** Also moves the point of a line that is drawn by keys; faster while the key is held. */
  | { readonly type: 'pan'; readonly right: number; readonly down: number; readonly held?: boolean }
  | { readonly type: 'window'; readonly wider: number; readonly brighter: number }
  | { readonly type: 'fit' }
  | { readonly type: 'actual-size' }
  | { readonly type: 'rotate'; readonly quarters: number }
  | { readonly type: 'flip'; readonly axis: 'horizontal' | 'vertical' }
  | { readonly type: 'invert' }
  /** Noise filter and sharpening, on and off. */
  | { readonly type: 'noise' }
  | { readonly type: 'sharpen' }
  | { readonly type: 'reset' }
  | { readonly type: 'frame'; readonly by: number }
  | { readonly type: 'tool'; readonly tool: Tool }
  /** Ends the line being drawn, or opens the selected text for typing. */
  | { readonly type: 'finish' }
  /** Removes the last point of the line being drawn. */
  | { readonly type: 'remove-point' }
  /** Cancels the line being drawn and clears the selected mark. */
  | { readonly type: 'abandon' }
  /** Deletes the selected mark. */
  | { readonly type: 'delete-mark' };

export interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** Auto-repeat of a key that is held down. */
  readonly repeat?: boolean;
}

/** Commands that auto-repeat while the key is held down. */
const repeated: ReadonlySet<KeyCommand['type']> = new Set(['zoom', 'pan', 'window', 'frame']);
export const repeats = ({ type }: KeyCommand): boolean => repeated.has(type);

/** Steps right and down of the arrow keys. */
export const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Keys without Shift, in lower case because of Caps Lock. */
const plain: Readonly<Record<string, KeyCommand>> = {
  '+': { type: 'zoom', steps: 1 },
  '=': { type: 'zoom', steps: 1 },
  '-': { type: 'zoom', steps: -1 },
  q: { type: 'fit' },
  x: { type: 'actual-size' },
  r: { type: 'rotate', quarters: 1 },
  f: { type: 'flip', axis: 'horizontal' },
  i: { type: 'invert' },
  n: { type: 'noise' },
  e: { type: 'sharpen' },
  backspace: { type: 'reset' },
  pageup: { type: 'frame', by: -1 },
  pagedown: { type: 'frame', by: 1 },
  w: { type: 'tool', tool: 'window' },
  p: { type: 'tool', tool: 'pan' },
  z: { type: 'tool', tool: 'zoom' },
  a: { type: 'tool', tool: 'region' },
  l: { type: 'tool', tool: 'length' },
  g: { type: 'tool', tool: 'angle' },
  k: { type: 'tool', tool: 'calibrate' },
  m: { type: 'tool', tool: 'magnifier' },
  enter: { type: 'finish' },
  escape: { type: 'abandon' },
  delete: { type: 'delete-mark' },
};

const shifted: Readonly<Record<string, KeyCommand>> = {
  '+': { type: 'zoom', steps: 1 },
  r: { type: 'rotate', quarters: -1 },
  f: { type: 'flip', axis: 'vertical' },
  a: { type: 'tool', tool: 'arrow' },
  t: { type: 'tool', tool: 'text' },
  q: { type: 'tool', tool: 'rectangle' },
  e: { type: 'tool', tool: 'ellipse' },
  p: { type: 'tool', tool: 'freehand' },
  l: { type: 'tool', tool: 'polyline' },
  g: { type: 'tool', tool: 'area' },
  x: { type: 'tool', tool: 'lineAngle' },
  k: { type: 'tool', tool: 'ratio' },
  d: { type: 'tool', tool: 'profile' },
};

/**
 * Returns the command of a key press; null for keys that the stage does not handle. Shift and arrows: brightness (up, down)
 * and contrast.
 */
export const commandOf = ({ key, shiftKey, ctrlKey, metaKey, altKey, repeat }: KeyPress): KeyCommand | null => {
  if (ctrlKey || metaKey || altKey) return null;
  const arrow = arrows[key];
  if (arrow) {
    const [right, down] = arrow;
    // Right means more contrast, that is a narrower window.
    if (shiftKey) return { type: 'window', wider: right === 0 ? 0 : -right, brighter: down === 0 ? 0 : -down };
    return { type: 'pan', right, down, ...(repeat && { held: true }) };
  }
  return (shiftKey ? shifted : plain)[key.toLowerCase()] ?? null;
};
