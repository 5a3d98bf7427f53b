// breaks: schemas-is-pure
import '../common/refusal.ts';
