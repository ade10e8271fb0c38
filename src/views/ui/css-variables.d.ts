import 'react';

declare module 'react' {
  /** Custom properties read by style sheets. */
  interface CSSProperties {
    [name: `--${string}`]: string | number | undefined;
  }
}
