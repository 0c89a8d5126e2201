package index

func (u *updater) park(p *plan)                  {}
func (u *updater) unpark(missing map[key]*group) {}
