/** The window that shows the image of the first one to somebody else, for example on a screen at the dental chair. */
export interface SecondWindow {
  /** Opens the window for a patient, or shows an open one to that patient. Returns false when the browser blocks it. */
  readonly present: (patientId: string, title: string) => boolean;
  readonly close: () => void;
  /** The element to draw in, and whose images it may show; null while no window is open. */
  readonly now: () => Presentation | null;
  readonly subscribe: (changed: () => void) => () => void;
}

export interface Presentation {
  readonly host: HTMLElement;
  readonly patientId: string;
}

/** Window Management API, which only Chromium has. */
interface ScreenDetails {
  readonly screens: readonly ScreenPlace[];
  readonly currentScreen: ScreenPlace;
}
interface ScreenPlace {
  readonly availLeft: number;
  readonly availTop: number;
  readonly availWidth: number;
  readonly availHeight: number;
}
declare global {
  interface Window {
    readonly getScreenDetails?: () => Promise<ScreenDetails>;
  }
  interface Screen {
    readonly isExtended?: boolean;
  }
}

const name = 'dentarium-second-window';

/** Uses the fonts of this page, in which the texts of marks are drawn. */
const shareStyles = (target: Document): void => {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')) {
    const copy = target.createElement('link');
    copy.rel = 'stylesheet';
    copy.href = link.href;
    target.head.append(copy);
  }
};

/** Moves the window to another screen, if there is one and the user lets the page know about it. */
const moveToOtherScreen = async (opened: Window): Promise<void> => {
  const { getScreenDetails } = window;
  if (!getScreenDetails || !window.screen.isExtended) return;
  const { screens, currentScreen } = await getScreenDetails.call(window);
  const other = screens.find((one) => one !== currentScreen);
  if (!other) return;
  opened.moveTo(other.availLeft, other.availTop);
  opened.resizeTo(other.availWidth, other.availHeight);
};

/** Creates the one second window of the page. It has no access of its own: without the first window it is closed. */
export const createSecondWindow = (): SecondWindow => {
  const listeners = new Set<() => void>();
  let opened: Window | null = null;
  let presentation: Presentation | null = null;
  const set = (next: Presentation | null) => {
    presentation = next;
    for (const changed of listeners) changed();
  };
  const close = () => {
    opened?.close();
    opened = null;
    set(null);
  };

  const open = (title: string): HTMLElement | null => {
    opened = window.open('', name, 'popup,width=1280,height=800');
    if (!opened) return null;
    const view = opened;
    const target = view.document;
    target.head.replaceChildren();
    target.title = title;
    target.documentElement.lang = document.documentElement.lang;
    shareStyles(target);
    target.body.style.cssText = 'margin:0;background:#000;overflow:hidden';
    const host = target.createElement('div');
    // Images are only looked at here; the mouse pointer stays to point with.
    host.style.cssText = 'position:fixed;inset:0;pointer-events:none';
    target.body.replaceChildren(host);
    view.addEventListener('pagehide', () => {
      if (opened === view) opened = null;
      if (presentation?.host === host) set(null);
    });
    view.addEventListener('dblclick', () => void target.documentElement.requestFullscreen?.().catch(() => undefined));
    // The keys of the viewer work from here too.
    view.addEventListener('keydown', (event) => {
      if (!document.body.dispatchEvent(new KeyboardEvent('keydown', event))) event.preventDefault();
    });
    void moveToOtherScreen(view).catch(() => undefined);
    return host;
  };

  window.addEventListener('pagehide', close);
  return {
    present: (patientId, title) => {
      const host = opened && !opened.closed && presentation ? presentation.host : open(title);
      if (!host) return false;
      opened?.focus();
      set({ host, patientId });
      return true;
    },
    close,
    now: () => presentation,
    subscribe: (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
};

export const secondWindow = createSecondWindow();
