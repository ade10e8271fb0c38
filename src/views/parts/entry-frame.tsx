import type { ReactNode } from 'react';
import classes from './entry-frame.module.css';
import { ProductMark } from './product-mark.tsx';

interface EntryFrameProps {
  readonly tagline: string;
  readonly title: string;
  readonly lead?: string;
  /** Address of a very dark radiograph for the other half of wide screens. */
  readonly picture: string;
  readonly foot: ReactNode;
  readonly children: ReactNode;
}

/** A page before anyone is signed in: one quiet column, a radiograph beside it where there is room. */
export const EntryFrame = ({ tagline, title, lead, picture, foot, children }: EntryFrameProps) => (
  <div className={classes.page}>
    <main className={classes.column}>
      <div className={classes.content}>
        <div className={classes.brand}>
          <ProductMark size={40} />
          <div>
            <p className={classes.name}>Dentarium</p>
            <p className={classes.tagline}>{tagline}</p>
          </div>
        </div>
        <div>
          <h1 className={classes.title}>{title}</h1>
          {lead && <p className={classes.lead}>{lead}</p>}
        </div>
        {children}
      </div>
      {foot}
    </main>
    <div className={classes.picture} aria-hidden="true">
      <img src={picture} alt="" />
    </div>
  </div>
);
