import { Fragment } from 'react';
import classes from './key-caps.module.css';

/** Shows keys as key caps. `textOf` returns a key's name in the page's language. */
export const KeyCaps = ({ keys, textOf }: { keys: readonly string[]; textOf: (key: string) => string }) =>
  keys.map((key, index) => (
    <Fragment key={key}>
      {index > 0 && ' '}
      <kbd className={classes.key}>{textOf(key)}</kbd>
    </Fragment>
  ));
