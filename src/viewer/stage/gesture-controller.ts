import { act, createFilterMemory } from '../gesture/act.ts';
import { endText } from '../gesture/draw-marks.ts';
import { attachKeys } from '../gesture/key-listener.ts';
import type { KeyCommand } from '../gesture/keys.ts';
import type { OverlayStore } from '../gesture/overlay-store.ts';
import { attachPointers } from '../gesture/pointers.ts';
import type { Change, GestureTarget } from '../gesture/target.ts';
import { attachWheel } from '../gesture/wheel-zoom.ts';
import { linkedImages, linkedView } from '../scene/link.ts';
import { mountTransform } from '../scene/mount.ts';
import { isMarkTool, type Scene, type SceneImage } from '../scene/scene.ts';
import type { FollowedImage, Intents } from './intents.ts';
import type { StageImages, StageState } from './stage-images.ts';

export interface GestureControllerOptions {
  readonly host: HTMLElement;
  readonly stageState: StageState;
  readonly stageImages: StageImages;
  readonly overlay: OverlayStore;
  readonly emit: Intents['emit'];
  readonly invalidate: () => void;
}

/** Connects pointers, wheel, keys and commands to a stage. */
export interface GestureController {
  readonly attach: (canvas: HTMLCanvasElement) => void;
  /** Cancels drawings and gestures that do not belong to the next scene. */
  readonly sceneReplaced: (previous: Scene, next: Scene) => void;
  readonly act: (command: KeyCommand) => boolean;
  /** Ends the typing of a text; null abandons it. */
  readonly endText: (typed: string | null) => void;
  /** Ends the current gesture as on pointer up: its change is settled. */
  readonly settle: () => void;
  /** The images that the current gesture changes, and whether it changes the mount. */
  readonly active: () => { readonly images: ReadonlySet<string>; readonly mount: boolean };
  /** Device pixels per CSS pixel of the stage. */
  readonly pixelRatio: () => number;
  readonly dispose: () => void;
}

interface InputSource {
  readonly activeImage: () => string | null;
  readonly isMountActive: () => boolean;
  readonly release: () => void;
}

const scaleOf = (image: SceneImage | undefined) =>
  image?.calibration === 'unknown' ? 'unknown' : image?.calibration?.mmPerPixel;

const sameCalibration = (one: SceneImage | undefined, other: SceneImage | undefined) => scaleOf(one) === scaleOf(other);

/** Returns the ids of the images that are linked to `id`. */
const others = (stageState: StageState, id: string): readonly string[] => {
  const { images, linked, mount } = stageState.scene();
  return linked && !mount ? images.map((image) => image.id).filter((other) => other !== id) : [];
};

const createTarget = ({ host, stageState, stageImages, emit, invalidate }: GestureControllerOptions): GestureTarget => {
  const { views, mount, size, scene } = stageState;

  /** The scene at the start of the gesture: linked windows are computed from it, so that dragging back is exact. */
  let started: Scene | null = null;
  /** Other images that the current gesture has changed. */
  const followers = new Set<string>();

  const sceneNow = (): Scene => {
    const now = scene();
    const images = now.images.map((image) => ({ ...image, ...views.of(image.id) }));
    return { ...now, images };
  };

  const changeOthers = (id: string, { display, view }: Change) => {
    const from = stageImages.of(id);
    if (!from) return;
    const followed = display
      ? linkedImages(started ?? sceneNow(), (other) => stageImages.of(other)?.image ?? null, id, display)
      : [];
    for (const other of others(stageState, id)) {
      const to = stageImages.of(other);
      if (!to) continue;
      const following = followed.find((image) => image.id === other);
      const next = following ? { ...to.display, voi: following.display.voi } : to.display;
      views.change(other, { display: next, ...(view && { view: linkedView(from, view, to) }) });
      if (view || following) followers.add(other);
    }
  };

  const liveOf = (id: string): readonly FollowedImage[] => {
    const live = views.of(id);
    return live ? [{ id, display: live.display, view: live.view }] : [];
  };

  return {
    stageImage: stageImages.of,
    idAt: stageImages.idAt,
    stageImageAt: (point) => {
      const id = stageImages.idAt(point);
      return id === null ? null : stageImages.of(id);
    },
    active: () => {
      const { active } = scene();
      return active === null ? null : stageImages.of(active);
    },
    tool: () => scene().tool,
    marksHidden: () => scene().marksHidden,
    begin: (id, gesture) => {
      started = sceneNow();
      followers.clear();
      emit({ type: 'gesture.begun', id, gesture });
    },
    change: (id, change) => {
      views.change(id, change);
      changeOthers(id, change);
      invalidate();
    },
    settle: (id, gesture) => {
      started = null;
      invalidate();
      const [live] = liveOf(id);
      if (live) emit({ type: 'gesture.settled', ...live, gesture, followed: [...followers].flatMap(liveOf) });
    },
    mark: (id, marks, settled) => {
      views.change(id, { marks });
      invalidate();
      if (settled) emit({ type: 'marks.settled', id, marks });
    },
    mount: () => {
      const now = mount.now();
      return now && { mount: now, stage: size(), pose: mountTransform(now, size()) };
    },
    setMountViewport: (view) => {
      mount.setViewport(view);
      invalidate();
    },
    settleMount: () => {
      const now = mount.now();
      if (now) emit({ type: 'mount.settled', view: now.view });
    },
    emit,
    pixelRatio: () => size().width / Math.max(1, host.getBoundingClientRect().width),
  };
};

export const createGestureController = (options: GestureControllerOptions): GestureController => {
  const { stageState, overlay } = options;
  const target = createTarget(options);
  const actor = { target, overlay, filters: createFilterMemory() };
  const listening = new AbortController();
  let inputs: readonly InputSource[] = [];
  const release = () => {
    for (const input of inputs) input.release();
  };
  const settle = () => {
    for (const input of inputs) if (input.activeImage() !== null || input.isMountActive()) input.release();
  };
  /** Settles the current gesture first: its next movement would undo the command. */
  const actAlone = (command: KeyCommand) => {
    if (command.type !== 'abandon') settle();
    return act(actor, command);
  };
  return {
    attach: (canvas) => {
      const { spaceHeld } = attachKeys(canvas, actAlone, listening.signal);
      inputs = [attachPointers(canvas, target, overlay, spaceHeld), attachWheel(canvas, target, overlay)];
    },
    sceneReplaced: (previous, next) => {
      // Settles a change of the mount before the mount is removed.
      if (previous.mount && !next.mount) release();
      const { draft, chosen } = overlay.get();
      const named = (scene: Scene) => scene.images.find(({ id }) => id === draft?.imageId);
      const [before, after] = [named(previous), named(next)];
      const goesOn =
        after?.frame === before?.frame && after?.source === before?.source && sameCalibration(before, after);
      if (draft && !(after && goesOn && next.tool === draft.kind)) overlay.update({ draft: null });
      const draws = isMarkTool(next.tool);
      if (chosen && !(draws && !next.marksHidden && next.images.some(({ id }) => id === chosen.imageId)))
        overlay.update({ chosen: null });
      if (next.tool !== 'region') overlay.update({ region: null });
      if (next.tool !== 'magnifier') overlay.update({ lens: null });
    },
    act: actAlone,
    endText: (typed) => endText(target, overlay, typed),
    settle,
    active: () => {
      const activeImages = inputs.map((input) => input.activeImage()).filter((id) => id !== null);
      return {
        images: new Set(activeImages.flatMap((id) => [id, ...others(stageState, id)])),
        mount: inputs.some((input) => input.isMountActive()),
      };
    },
    pixelRatio: target.pixelRatio,
    dispose: () => {
      release();
      listening.abort();
    },
  };
};
