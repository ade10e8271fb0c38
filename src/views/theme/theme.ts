import { createTheme, type MantineColorsTuple } from '@mantine/core';

export const themeChoices = ['light', 'dark', 'mixed'] as const;
export type ThemeChoice = (typeof themeChoices)[number];

export const isThemeChoice = (value: unknown): value is ThemeChoice => themeChoices.some((choice) => choice === value);

/** Returns the color scheme of a page: pages that show images are dark in `mixed` too. */
export const appearanceOf = (choice: ThemeChoice, showsImages: boolean): 'light' | 'dark' =>
  choice === 'dark' || (choice === 'mixed' && showsImages) ? 'dark' : 'light';

declare global {
  /** Where react-remove-scroll looks for its nonce. */
  var __webpack_nonce__: string | undefined;
}

/** Nonce of the style elements for the content security policy; empty in development. */
export const styleNonce = (): string => {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
  globalThis.__webpack_nonce__ = nonce;
  return nonce;
};

/** Accent color: oklch(L C 195) from light to dark. White on step 7 is 4.7:1, step 5 on the dark page 7:1. */
const teal: MantineColorsTuple = [
  '#edfafa',
  '#d8f3f3',
  '#b5e8e7',
  '#86d8d7',
  '#59c7c6',
  '#27b0b0',
  '#009a9b',
  '#008182',
  '#006b6b',
  '#005353',
];

/** Greys without hue: a tint changes how a radiograph is perceived. */
const gray: MantineColorsTuple = [
  '#f8f8f8',
  '#f2f2f2',
  '#e8e8e8',
  '#d7d7d7',
  '#bebebe',
  '#9e9e9e',
  '#6e6e6e',
  '#484848',
  '#383838',
  '#242424',
];

const dark: MantineColorsTuple = [
  '#d0d0d0',
  '#b4b4b4',
  '#9e9e9e',
  '#6e6e6e',
  '#383838',
  '#2a2a2a',
  '#202020',
  '#171717',
  '#121212',
  '#0b0b0b',
];

export const theme = createTheme({
  primaryColor: 'teal',
  primaryShade: 7,
  colors: { teal, gray, dark },
  black: '#1b1b1b',
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontSizes: { xs: '13px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.45', lg: '1.45', xl: '1.35' },
  headings: {
    fontFamily: "'Inter Variable', system-ui, sans-serif",
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '28px', lineHeight: '1.25' },
      h2: { fontSize: '20px', lineHeight: '1.3' },
      h3: { fontSize: '16px', lineHeight: '1.35' },
      h4: { fontSize: '14px', lineHeight: '1.4' },
    },
  },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '3px', sm: '6px', md: '6px', lg: '6px', xl: '12px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'sm' } },
    Tooltip: { defaultProps: { openDelay: 400, withArrow: false, transitionProps: { duration: 120 } } },
    Modal: { defaultProps: { centered: true, transitionProps: { duration: 140, transition: 'fade' } } },
    // Menus focus their first item; Mantine's initial focus element is not a valid menu child.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Drawer: { defaultProps: { transitionProps: { duration: 160 } } },
  },
});
