import { act, createFilterMemory } from '../gesture/act.ts';
import { attachKeys } from '../gesture/key-listener.ts';
import type { KeyCommand } from '../gesture/keys.ts';
import { attachPointers } from '../gesture/pointers.ts';
import type { SketchBook } from '../gesture/sketch.ts';
import type { Change, GestureTarget } from '../gesture/target.ts';
import { attachWheel } from '../gesture/wheel-zoom.ts';
import { poseOf } from '../scene/board.ts';
import { linkedDisplay, linkedView } from '../scene/link.ts';
import type { Scene, SceneImage } from '../scene/scene.ts';
import type { Intents } from './intents.ts';
import type { Standing, Subjects } from './subjects.ts';

export interface HandsOptions {
  readonly host: HTMLElement;
  readonly standing: Standing;
  readonly subjects: Subjects;
  readonly book: SketchBook;
  readonly emit: Intents['emit'];
  readonly invalidate: () => void;
}

/** All hands on a stage: what they hold now, and what keys and buttons do. */
export interface Hands {
  readonly attach: (canvas: HTMLCanvasElement) => void;
  /** A scene is to be replaced: what no longer belongs to it is given up. */
  readonly taken: (previous: Scene, next: Scene) => void;
  readonly act: (command: KeyCommand) => boolean;
  /** Images in the middle of a gesture, and whether the board is. */
  readonly inHand: () => { readonly images: ReadonlySet<string>; readonly board: boolean };
  /** Device pixels per CSS pixel of the stage. */
  readonly pixelRatio: () => number;
  readonly dispose: () => void;
}

interface Hand {
  readonly inHand: () => string | null;
  readonly boardInHand: () => boolean;
  readonly release: () => void;
}

const sameCalibration = (one: SceneImage | undefined, other: SceneImage | undefined) =>
  one?.calibration?.mmPerPixel === other?.calibration?.mmPerPixel;

/** The images that follow what is done to one, when the scene links them. */
const others = (standing: Standing, id: string): readonly string[] => {
  const { images, linked, board } = standing.scene();
  return linked && !board ? images.map((image) => image.id).filter((other) => other !== id) : [];
};

const createTarget = ({ host, standing, subjects, emit, invalidate }: HandsOptions): GestureTarget => {
  const { views, board, size, scene } = standing;

  /** Images that the gesture under way has changed besides its own. */
  const followers = new Set<string>();

  const changeOthers = (id: string, { display, view }: Change) => {
    const from = subjects.of(id);
    if (!from) return;
    for (const other of others(standing, id)) {
      const to = subjects.of(other);
      if (!to) continue;
      const followed = display ? linkedDisplay(from.image, display, to.image, to.display) : to.display;
      views.change(other, { display: followed, ...(view && { view: linkedView(from, view, to) }) });
      if (view || followed !== to.display) followers.add(other);
    }
  };

  return {
    subject: subjects.of,
    idAt: subjects.idAt,
    subjectAt: (point) => {
      const id = subjects.idAt(point);
      return id === null ? null : subjects.of(id);
    },
    active: () => {
      const { active } = scene();
      return active === null ? null : subjects.of(active);
    },
    tool: () => scene().tool,
    begin: (id, gesture) => {
      followers.clear();
      emit({ type: 'gesture.begun', id, gesture });
    },
    change: (id, change) => {
      views.change(id, change);
      changeOthers(id, change);
      invalidate();
    },
    settle: (id, gesture) => {
      invalidate();
      for (const one of [id, ...followers]) {
        const live = views.of(one);
        if (live) emit({ type: 'gesture.settled', id: one, gesture, display: live.display, view: live.view });
      }
    },
    mark: (id, marks, settled) => {
      views.change(id, { marks });
      invalidate();
      if (settled) emit({ type: 'marks.settled', id, marks });
    },
    board: () => {
      const now = board.now();
      return now && { board: now, stage: size(), pose: poseOf(now, size()) };
    },
    turnBoard: (view) => {
      board.turn(view);
      invalidate();
    },
    settleBoard: () => {
      const now = board.now();
      if (now) emit({ type: 'board.settled', view: now.view });
    },
    emit,
    pixelRatio: () => size().width / Math.max(1, host.getBoundingClientRect().width),
  };
};

export const createHands = (options: HandsOptions): Hands => {
  const { standing, book } = options;
  const target = createTarget(options);
  const actor = { target, book, filters: createFilterMemory() };
  const listening = new AbortController();
  let hands: readonly Hand[] = [];
  const release = () => {
    for (const hand of hands) hand.release();
  };
  return {
    attach: (canvas) => {
      const { spaceHeld } = attachKeys(canvas, (command) => act(actor, command), listening.signal);
      hands = [attachPointers(canvas, target, book, spaceHeld), attachWheel(canvas, target, book)];
    },
    taken: (previous, next) => {
      // What a hand did to the board would be lost with it.
      if (previous.board && !next.board) release();
      const { draft, chosen } = book.now();
      const named = (scene: Scene) => scene.images.find(({ id }) => id === draft?.imageId);
      const [before, after] = [named(previous), named(next)];
      const goesOn =
        after?.frame === before?.frame && after?.source === before?.source && sameCalibration(before, after);
      if (draft && !(after && goesOn && next.tool === draft.kind)) book.draw({ draft: null });
      const measures = ['length', 'angle', 'calibrate'].includes(next.tool);
      if (chosen && !(measures && next.images.some(({ id }) => id === chosen.imageId))) book.draw({ chosen: null });
      if (next.tool !== 'region') book.draw({ region: null });
      if (next.tool !== 'magnifier') book.draw({ lens: null });
    },
    act: (command) => act(actor, command),
    inHand: () => {
      const held = hands.map((hand) => hand.inHand()).filter((id) => id !== null);
      return {
        images: new Set(held.flatMap((id) => [id, ...others(standing, id)])),
        board: hands.some((hand) => hand.boardInHand()),
      };
    },
    pixelRatio: target.pixelRatio,
    dispose: () => {
      release();
      listening.abort();
    },
  };
};
