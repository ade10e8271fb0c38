import { initials } from './initials.ts';
import classes from './person-face.module.css';

interface PersonFaceProps {
  readonly name: string;
  /** Address of a picture; null: the initials stand for it. */
  readonly picture: string | null;
  readonly large?: boolean;
}

/** A person's picture, round; says nothing by itself, for the name always stands beside it. */
export const PersonFace = ({ name, picture, large = false }: PersonFaceProps) => (
  <span className={classes.face} data-large={large || undefined} aria-hidden="true">
    {picture ? <img src={picture} alt="" loading="lazy" decoding="async" /> : initials(name)}
  </span>
);
