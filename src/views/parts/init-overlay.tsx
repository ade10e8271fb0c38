import classes from './init-overlay.module.css';
import { ProductMark } from './product-mark.tsx';

/** Covers the page until the product is ready to be used. The mark stands still until it `spins`. */
export const InitOverlay = ({ text, spins }: { text: string; spins: boolean }) => (
  <div className={classes.overlay} role="status">
    <div className={classes.mark} data-spins={spins || undefined}>
      <ProductMark size={56} />
    </div>
    <p>{text}</p>
  </div>
);
