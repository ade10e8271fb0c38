import { useEffect, useLayoutEffect, useState } from 'react';
import type { NoteSubject } from '../../../../contract/notes.ts';
import type { IntentOf, MountViewport } from '../../../viewer/index.ts';

/** Shows only images: elements marked `data-chrome` are hidden while <html> has the attribute. */
const useFocusMode = (): readonly [boolean, (on: boolean) => void] => {
  const [on, setOn] = useState(false);
  useEffect(() => {
    const root = document.documentElement;
    root.toggleAttribute('data-focus-mode', on);
    return () => root.removeAttribute('data-focus-mode');
  }, [on]);
  return [on, setOn];
};

/** Toggles full screen, dialogs and tooltips included. */
const useFullscreen = (): readonly [boolean, () => void] => {
  const [on, setOn] = useState(() => document.fullscreenElement !== null && document.fullscreenElement !== undefined);
  useEffect(() => {
    const listen = () => setOn(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', listen);
    return () => document.removeEventListener('fullscreenchange', listen);
  }, []);
  const toggle = () => {
    // The browser may reject the request; the page stays as it is.
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    else document.documentElement.requestFullscreen?.().catch(() => {});
  };
  return [on, toggle];
};

/** A part of the panel with a field: a note, or the quality grade. */
export type PanelField = NoteSubject | 'grade';

/** A request to focus a field of the panel; each request is a new object. */
export interface FocusRequest {
  readonly field: PanelField;
}

/** The open dialog; for calibration the drawn line. */
export type OpenDialog = 'shortcuts' | 'print' | 'save-picture' | 'blink' | IntentOf<'calibration.drawn'>;

/** Returns what the user has switched on or opened in the viewer; not saved. */
export const useViewOptions = (mountId: string | null) => {
  const [overlays, setOverlays] = useState(true);
  const [planesHidden, setPlanesHidden] = useState(false);
  const [linked, setLinked] = useState(true);
  const [mountView, setMountView] = useState<MountViewport>('fit');
  const [marksMenu, setMarksMenu] = useState(false);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [focusRequest, setFocusRequest] = useState<FocusRequest | null>(null);
  const [focusMode, setFocusMode] = useFocusMode();
  const [fullscreen, toggleFullscreen] = useFullscreen();
  useLayoutEffect(() => {
    // A new mount is fitted to the stage.
    if (mountId !== null) setMountView('fit');
  }, [mountId]);
  return {
    overlays,
    toggleOverlays: () => setOverlays(!overlays),
    /** Whether the overlay planes of the files are hidden. */
    planesHidden,
    togglePlanes: () => setPlanesHidden(!planesHidden),
    linked,
    toggleLinked: () => setLinked(!linked),
    mountView,
    setMountView,
    marksMenu,
    setMarksMenu,
    dialog,
    setDialog,
    focusRequest,
    /** Shows the panel and focuses the field. */
    requestFocus: (field: PanelField) => {
      setFocusMode(false);
      setFocusRequest({ field });
    },
    endFocusRequest: () => setFocusRequest(null),
    focusMode,
    setFocusMode,
    fullscreen,
    toggleFullscreen,
  };
};

export type ViewOptions = ReturnType<typeof useViewOptions>;
