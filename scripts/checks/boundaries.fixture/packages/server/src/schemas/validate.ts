// breaks: schemas-is-pure
import '../common/requests/refusal.ts';
