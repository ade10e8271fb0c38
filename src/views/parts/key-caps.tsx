import { Fragment } from 'react';
import classes from './key-caps.module.css';

/** Keys of a keyboard, as they are written on it. `textOf`: what a key is called in the language of the page. */
export const KeyCaps = ({ keys, textOf }: { keys: readonly string[]; textOf: (key: string) => string }) =>
  keys.map((key, index) => (
    <Fragment key={key}>
      {index > 0 && ' '}
      <kbd className={classes.key}>{textOf(key)}</kbd>
    </Fragment>
  ));
