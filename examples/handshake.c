/* The server side of a handshake, as a state machine whose states come from the wire's events: a
   client may start anew at any time.  Data must be read by nobody who has not proved who they are,
   with the keys of the handshake that is going on. */
extern void reach_error(void);
extern int next_message(void);
extern int signature_is_valid(void);

enum message { HELLO, KEY, PROOF, DATA, CLOSE };
enum state { IDLE, GREETED, KEYED, OPEN, CLOSED };

struct session {
    enum state state;
    int handshake;     /* which one is going on */
    int keys_from;     /* the one that the keys were made in */
    int proved_in;     /* the one in which the client was authenticated */
};

static void deliver(struct session *s)
{
    if (s->keys_from != s->handshake || s->proved_in != s->handshake)
        reach_error();
}

static void step(struct session *s, int message)
{
    switch (message) {
    case HELLO:
        s->handshake++;
        s->state = GREETED;
        break;
    case KEY:
        if (s->state == GREETED) {
            s->keys_from = s->handshake;
            s->state = KEYED;
        }
        break;
    case PROOF:
        if (s->state == KEYED && signature_is_valid()) {
            s->proved_in = s->handshake;
            s->state = OPEN;
        }
        break;
    case DATA:
        if (s->state == OPEN)
            deliver(s);
        break;
    default:
        s->state = CLOSED;
    }
}

int main(void)
{
    struct session session = { IDLE, 0, -1, -1 };

    while (session.state != CLOSED)
        step(&session, next_message());
    return 0;
}
