import { describe, expect, it } from 'vitest';
import { newId } from '../../contract/new-id.ts';
import { distanceToLine } from '../../src/viewer/scene/distance.ts';
import { sameMarks } from '../../src/viewer/scene/marks.ts';
import type { Mark } from '../../src/viewer/scene/scene.ts';

describe('marks', () => {
  const mark: Mark = {
    id: 'a',
    kind: 'length',
    frame: 1,
    points: [
      [1, 2],
      [3, 4],
    ],
  };
  it('are compared by value', () => {
    expect(
      sameMarks(
        [mark],
        [
          {
            ...mark,
            points: [
              [1, 2],
              [3, 4],
            ],
          },
        ],
      ),
    ).toBe(true);
    expect(
      sameMarks(
        [mark],
        [
          {
            ...mark,
            points: [
              [1, 2],
              [3, 5],
            ],
          },
        ],
      ),
    ).toBe(false);
    expect(sameMarks([mark], [{ ...mark, frame: 2 }])).toBe(false);
    expect(sameMarks([mark], [])).toBe(false);
    expect(sameMarks([mark], [{ ...mark, id: 'b' }])).toBe(false);
  });

  it('are hit on the segment, not on its extension', () => {
    const [from, to] = [
      { x: 0, y: 0 },
      { x: 10, y: 0 },
    ];
    expect(distanceToLine({ x: 4, y: 3 }, from, to)).toBe(3);
    expect(distanceToLine({ x: 14, y: 3 }, from, to)).toBe(5);
    expect(distanceToLine({ x: 3, y: 4 }, from, from)).toBe(5);
  });

  it('have unique ids', () => {
    const ids = new Set(Array.from({ length: 100 }, newId));
    expect(ids.size).toBe(100);
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });
});
